#ifndef STOREDOCTOR_CEXPAT_H
#define STOREDOCTOR_CEXPAT_H

#include <expat.h>

#endif
