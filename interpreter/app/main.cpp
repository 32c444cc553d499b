#include "interpreter/app/app.hpp"

int main(int argc, char** argv) { return houserule::cli::run(argc, argv); }
