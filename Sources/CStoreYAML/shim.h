#ifndef STOREDOCTOR_CYAML_H
#define STOREDOCTOR_CYAML_H

#include <yaml.h>

#endif
