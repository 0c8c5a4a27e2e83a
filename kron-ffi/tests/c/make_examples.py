"""Writes a C program of the examples in a Markdown file: of its blocks in C, those with #include come first, and each
other one is the body of a function. A block with a main function is a program of its own, and is left out.

    make_examples.py c.md
"""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"^```c\n(.*?)^```$", text, re.M | re.S)
blocks = [block for block in blocks if "int main(" not in block]
bodies = [block for block in blocks if "#include" not in block]
if not bodies:
    sys.exit(f"make_examples.py: {sys.argv[1]} has no examples in C")
print("".join(block for block in blocks if "#include" in block))
for number, body in enumerate(bodies):
    print(f"static void example_{number}(void) {{\n{body}}}\n")
print("int main(void) {")
for number in range(len(bodies)):
    print(f"    example_{number}();")
print("    kron_error_free(error);")
print(f'    printf("examples: {len(bodies)} examples passed\\n");')
print("    return 0;\n}")
