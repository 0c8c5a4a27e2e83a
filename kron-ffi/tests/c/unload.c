/* Loads and unloads the library again and again, as a host of plugins does. What it made of time zones may not be lost each time:
   the memory that is in use stays the same. Takes the path of the library. Linked with nothing of Kron. */
#include <dlfcn.h>
#include <malloc.h>

#include "test.h"

typedef kron_result parse_job(const char *, const char *, const kron_parser *, kron_job **, kron_error **);
typedef void free_job(kron_job *);

/* ISO C has no conversion of an object pointer to a function pointer. */
static void find(void *library, const char *name, void *function, size_t size) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
}

static void use(const char *path) {
    parse_job *parse = NULL;
    free_job *free_one = NULL;
    kron_job *job = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    find(library, "kron_job_parse", &parse, sizeof parse);
    find(library, "kron_job_free", &free_one, sizeof free_one);
    CHECK(parse("a/b", "@daily @tz(Europe/Paris)", NULL, &job, NULL) == KRON_OK);
    free_one(job);
    CHECK(dlclose(library) == 0);
}

int main(int count, char **arguments) {
    size_t first;
    if (count != 2) return 2;
    use(arguments[1]);
    first = mallinfo2().uordblks;
    for (int time = 0; time < 100; time++) use(arguments[1]);
    CHECK(mallinfo2().uordblks < first + 1024);
    return summary("unload");
}
