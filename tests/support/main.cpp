// The main of all tests, in a file of its own: it takes long to compile and never changes.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
