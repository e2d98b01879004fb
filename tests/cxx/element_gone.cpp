// Elements that a container has no more, where its memory goes on.  Result: correct.
// -DUSED=1..5 uses one that is gone, of a vector, a string in a vector, a string, and of a queue
// and a deque: undefined value.
#include <cassert>
#include <deque>
#include <queue>
#include <string>
#include <vector>

#ifndef USED
#define USED 0
#endif

static int of_vector()
{
    std::vector<int> v{1, 2, 3, 4};
    int &second = v[1], &last = v[3];
    v.pop_back();
    v.erase(v.begin() + 2);
    return USED == 1 ? last : second;
}

static bool of_strings()
{
    std::vector<std::string> v{"a", "b"};
    std::string &first = v[0], &last = v[1];
    v.resize(1);
    return USED == 2 ? last == "b" : first == "a";
}

static bool of_string()
{
    std::string s = "hello, a string that is long", t = "short";
    const char *at = &s[4], *past = &s[5];
    s.resize(5);
    t.clear();
    assert(t.c_str()[0] == 0 && s == "hello" && *past == 0);
    return USED == 3 ? past[1] == ' ' : *at == 'o';
}

static int of_queue()
{
    std::queue<int> q;
    q.push(1);
    q.push(2);
    int &first = q.front();
    q.pop();
    return USED == 4 ? first : q.front();
}

static int of_deque()
{
    std::deque<int> d(2000, 5);
    int &last = d.back(), &third = d[2];
    d.erase(d.begin() + 10, d.end());
    d.pop_front();
    d.push_back(7);
    assert(d.back() == 7 && d.size() == 10);
    return USED == 5 ? last : third;
}

// With room that is used again.
static int again()
{
    std::vector<int> v{1, 2, 3};
    v.clear();
    v.push_back(4);
    v.resize(3);
    std::vector<int> w = std::move(v);
    std::string s = "abc";
    s.erase(1);
    s += "def";
    std::string t = std::move(s);
    s = "x";
    assert(t == "adef" && s == "x");
    return w[0] + w[1] + w[2];
}

int main()
{
    assert(of_vector() == 2);
    assert(of_strings());
    assert(of_string());
    assert(of_queue() == 2);
    assert(of_deque() == 5);
    assert(again() == 4);
}
