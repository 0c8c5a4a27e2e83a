// Prints the starts of a job file between two Unix seconds, and why the first one is where it is.
//
//     c++ -std=c++17 fleet.cpp $(pkg-config --cflags --libs kron) -o fleet
//     ./fleet jobs.kron 1772323200 1772326800
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include <kron.hpp>

int main(int argc, char **argv) try {
    if (argc != 4) {
        std::cerr << "usage: fleet FILE FROM TO, both in Unix seconds\n";
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) {
        std::cerr << "cannot read " << argv[1] << "\n";
        return 1;
    }
    std::string text{std::istreambuf_iterator<char>(file), {}};
    kron::Fleet fleet = kron::Fleet::load(text, "default");

    std::optional<kron::FleetDecision> first;
    for (const auto &start : fleet.starts(std::strtoll(argv[2], nullptr, 10), std::strtoll(argv[3], nullptr, 10))) {
        std::cout << start.decision.chosen_time << "  " << start.decision.period_id << "  "
                  << fleet.job(start.job).name() << "\n";
        if (!first) first = start;
    }
    if (first) std::cout << fleet.job(first->job).explain_json(first->decision.nominal_time) << "\n";
} catch (const kron::Error &error) {
    std::cerr << argv[1] << ": " << error.what() << "\n";
    return 1;
}
