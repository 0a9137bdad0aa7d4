// The low-level functions carry a hash function and nothing else; what OpenSSL 3 offers in their place looks functions up
// by name at run time, and links all of the library into a static program.
#ifndef STOREDOCTOR_CCRYPTO_H
#define STOREDOCTOR_CCRYPTO_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>

#endif
