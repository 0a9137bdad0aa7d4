import Foundation

/// A browser that renders a page.
package enum Chromium {
  /// The program's path; nil if there is none.
  package static let program: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        return "\(folder)/\(name)"
      }
    }
    return nil
  }()

  /// The value of `expression` in the page at each width, as JSON: a list of `{width, value, messages, requests}`.
  ///
  /// `messages` has what the page wrote to the console and its errors, `requests` what it loaded. A Python script
  /// controls the browser through pipes, so that no port is opened.
  ///
  /// - Parameter library: a script that is read first, of which the page's policy knows nothing.
  package static func evaluate(
    _ expression: String, inPage page: String, widths: [Int], library: String = ""
  ) throws -> JSONTree {
    let words = [program ?? "", page, expression, library] + widths.map(String.init)
    return try JSONTree(String(decoding: Python.run(script, words), as: UTF8.self))
  }

  private static let script = #"""
    import json, os, signal, subprocess, sys, tempfile
    program, page, expression, library, *widths = sys.argv[1:]
    signal.alarm(300)
    read_commands, write_commands = os.pipe()
    read_answers, write_answers = os.pipe()

    def place_pipes():
        # The browser reads commands from 3 and answers to 4.
        commands, answers = os.dup(read_commands), os.dup(write_answers)
        spare = os.dup2(commands, 20), os.dup2(answers, 21)
        os.dup2(spare[0], 3)
        os.dup2(spare[1], 4)

    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    browser = subprocess.Popen(
        [program, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
         '--hide-scrollbars', '--remote-debugging-pipe', '--user-data-dir=' + folder.name, 'about:blank'],
        preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True)
    os.close(read_commands)
    os.close(write_answers)
    pending, events, number, session = b'', [], 0, None

    def receive():
        global pending
        while b'\0' not in pending:
            piece = os.read(read_answers, 1 << 20)
            if not piece: sys.exit('the browser ended')
            pending += piece
        message, pending = pending.split(b'\0', 1)
        return json.loads(message)

    def call(method, **parameters):
        global number
        number += 1
        message = {'id': number, 'method': method, 'params': parameters}
        if session: message['sessionId'] = session
        os.write(write_commands, json.dumps(message).encode() + b'\0')
        while (answer := receive()).get('id') != number: events.append(answer)
        if 'error' in answer: sys.exit(str(answer))
        return answer['result']

    try:
        target = call('Target.createTarget', url='about:blank')['targetId']
        session = call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in 'Log', 'Runtime', 'Network', 'Page': call(domain + '.enable')
        results = []
        for width in map(int, widths):
            call('Emulation.setDeviceMetricsOverride', width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
            events = []
            call('Page.navigate', url='file://' + page)
            while not any(event.get('method') == 'Page.loadEventFired' for event in events): events.append(receive())
            if library: call('Runtime.evaluate', expression=open(library).read())
            answer = call('Runtime.evaluate', returnByValue=True, awaitPromise=True, expression=expression)
            if 'exceptionDetails' in answer: sys.exit(str(answer['exceptionDetails']))
            noise = 'Log.entryAdded', 'Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Page.javascriptDialogOpening'
            results.append({
                'width': width, 'value': answer['result'].get('value'),
                'messages': [json.dumps(event) for event in events if event.get('method') in noise],
                'requests': [event['params']['request']['url'] for event in events
                             if event.get('method') == 'Network.requestWillBeSent']})
        print(json.dumps(results))
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
    """#
}
