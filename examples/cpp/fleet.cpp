// Prints the starts of a job file between two Unix seconds, and why the first one is where it is.
//
//     c++ -std=c++17 fleet.cpp $(pkg-config --cflags --libs kron) -o fleet
//     ./fleet jobs.kron 1772323200 1772326800
#include <cstdlib>
#include <iostream>
#include <optional>

#include <kron.hpp>

int main(int argc, char **argv) try {
    if (argc != 4) {
        std::cerr << "usage: fleet FILE FROM TO, both in Unix seconds\n";
        return 2;
    }
    const kron::Fleet fleet = kron::Fleet::load_file(argv[1]);

    std::optional<kron::FleetDecision> first;
    for (const auto &[start, job] : fleet.starts(std::atoll(argv[2]), std::atoll(argv[3]))) {
        std::cout << kron::to_string(*start.chosen_time()) << "  " << start.period_id() << "  " << job.name() << "\n";
        if (!first) first = kron::FleetDecision{start, job};
    }
    if (first) std::cout << first->job.explain_json(first->decision.nominal_time()) << "\n";
} catch (const kron::Error &failure) {
    for (const kron::Error &error : failure.errors()) std::cerr << argv[1] << ": " << error.what() << "\n";
    return 1;
}
