import CStoreProcess
import StorePlatform

/// Has memory in pieces of half a mebibyte and more given back to the system as soon as it is free, for the rest of this process.
///
/// Glibc keeps what was freed once for later, up to 32 MiB of it at a time: a search that lets go of its index before it makes
/// its results then holds both. For work that takes large pieces again and again it costs time. Elsewhere it does nothing.
package func returnFreedMemory() { storedoctor_return_memory(1 << 19) }

/// Gives back what is free now, also of small pieces that glibc keeps: after a phase that needed much. Elsewhere it does nothing.
package func giveBackFreedMemory() { storedoctor_trim_memory() }
