// Result: memory error.
// Expect: double free
int main()
{
    int *p = new int(1);
    delete p;
    delete p;
}
