/* Leaks a job on purpose: proof that the sanitizer sees what the library allocates. */
#include <kron.h>

int main(void) {
    kron_job *job = NULL;
    kron_result result = kron_job_parse("a/b", "@daily", NULL, &job, NULL);
    job = NULL;
    return (int)result;
}
