/* Uses a job after it was freed, on purpose: proof that the sanitizer sees what the library frees. */
#include <kron.h>

int main(void) {
    kron_job *job = NULL;
    if (kron_job_parse("a/b", "@daily", NULL, &job, NULL) != KRON_OK) return 2;
    kron_job_free(job);
    return *(volatile char *)job;
}
