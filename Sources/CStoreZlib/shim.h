// inflateInit2 and deflateInit2 are macros, which Swift does not import.
#ifndef STOREDOCTOR_CZLIB_H
#define STOREDOCTOR_CZLIB_H

#include <zlib.h>

// Raw deflate data (no zlib header or trailer): window bits are negative.
static inline int storedoctor_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -15); }

// One gzip member, with its header and trailer, which zlib checks.
static inline int storedoctor_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

static inline int storedoctor_deflate_init_raw(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

#endif
