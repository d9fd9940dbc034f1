import assert from "node:assert/strict";
import { test } from "node:test";

import { encode, fit, form, pairs, parse, readAll, write, type Spec } from "./spec.js";

const plain: Spec = parse("").spec;

/** What a link is read as, where it differs from its defaults, and what is told of it. Go's tests hold both halves to core/spec/testdata/links.json; here are the sentences, and what such a file would be too long for. */
const links: readonly (readonly [name: string, query: string, encoded: string, ...told: string[]])[] = [
  ["nothing is all defaults", "", ""],
  ["a value within its bounds is taken", "?rho=0.99&d=1000&k=5", "rho=0.99&d=1000&k=5"],
  ["a value that is its default is left out", "d=30&models=ifm,fm&seed=2", "seed=2"],
  ["the order is that of the fields", "seed=2&d=40", "d=40&seed=2"],
  ["a number above its bounds is held", "d=1001", "d=1000", 'the link\'s d was "1001"; used "1000" instead'],
  ["a number below its bounds is held", "k=0", "k=1", 'the link\'s k was "0"; used "1" instead'],
  ["a whole number is cut, not rounded", "d=12.7", "d=12", 'the link\'s d was "12.7"; used "12" instead'],
  ["what is no number leaves what was there", "d=40&d=many", "d=40", 'the link\'s d was "many"; used "40" instead'],
  ["an infinite number is none", "noise=Infinity", "", 'the link\'s noise was "Infinity"; used "0" instead'],
  ["a choice that there is not leaves what was there", "scenario=psd&scenario=none", "scenario=psd", 'the link\'s scenario was "none"; used "psd" instead'],
  ["a name that is not known is told and dropped", "colour=red&seed=2", "seed=2", 'the link\'s parameter "colour" is not known here and was ignored'],
  ["a name of sixty-one letters is told by its first sixty", `${"a".repeat(61)}=1`, "", `the link's parameter "${"a".repeat(60)}…" is not known here and was ignored`],
  ["a set keeps what there is of it", "models=svm,ifm", "models=ifm", 'the link\'s models was "svm,ifm"; used "ifm" instead'],
  ["a set with nothing in it is its default", "models=svm", "", 'the link\'s models was "svm"; used "fm,ifm" instead'],
  ["a list of numbers names each once, in the order given", "ranks=5,2,5", "ranks=5,2"],
  ["a list of numbers is held, each by itself", "ranks=2,99", "ranks=2,50", 'the link\'s ranks was "2,99"; used "2,50" instead'],
  ["a list of more than ten numbers is cut", "ranks=1,2,3,4,5,6,7,8,9,10,11", "ranks=1,2,3,4,5,6,7,8,9,10", 'the link\'s ranks was "1,2,3,4,5,6,7,8,9,10,11"; used "1,2,3,4,5,6,7,8,9,10" instead'],
  ["names keep their commas and backslashes", "ignore=a%5C,b,c%5C%5Cd", "ignore=a%5C,b,c%5C%5Cd"],
  ["plus is a space, and a broken escape is itself", "target=a+b%20c%zz", "target=a%20b%20c%25zz"],
  ["letters of more than a byte come through", "target=h%C3%B6he%F0%9F%9A%B2", "target=h%C3%B6he%F0%9F%9A%B2"],
  ["bytes that are no letter are one mark, and those around them stay", "target=a%FF%FEb%C3%B6%C3", "target=a%EF%BF%BDb%C3%B6%EF%BF%BD"],
  ["a parameter without a value has an empty one", "target&seed=2", "seed=2"],
  ["a text may have 1024 bytes", `target=${"x".repeat(1024)}`, `target=${"x".repeat(1024)}`],
  ["a design of too many numbers gives up training rows", "d=1000&n=1000000", "d=1000&n=40943", "the link's n was 1000000, too many rows for d = 1000; used 40943 instead"],
  ["a rank above d counts in its place", "d=2&n=1000000&rank=100", "d=2&n=418430&rank=100", "the link's n was 1000000, too many rows for a rank of 100; used 418430 instead"],
  ["test rows give way last, and ten training rows stay", "d=1000&test=100000", "d=1000&n=10&test=41933", "the link's n was 1800, too many rows for d = 1000; used 10 instead", "the link's test was 100000, too many rows for d = 1000; used 41933 instead"],
  ["a table's rows are its own", "source=table&d=1000&n=1000000", "source=table&d=1000&n=1000000"],
];

for (const [name, query, encoded, ...told] of links) {
  test(name, () => {
    const { spec, notices } = parse(query);
    assert.equal(encode(spec), encoded);
    assert.deepEqual(notices.map(({ message }) => message), told);
    assert.deepEqual(parse(encoded), { spec, notices: [] }, "and reads what it writes");
  });
}

test("a text of too many bytes is cut between two letters", () => {
  for (const [text, kept] of [["x".repeat(1025), 1024], [`${"x".repeat(1023)}ö`, 1023]] as const) {
    const { spec, notices } = parse(`target=${text}`);
    assert.equal(spec.target, "x".repeat(kept));
    assert.deepEqual(notices.map(({ key }) => key), ["target"]);
  }
});

test("of names those too long are left out, and those after the last that there may be", () => {
  const names = Array.from({ length: 4097 }, (_, i) => `c${i}`);
  const { spec, notices } = parse(`ignore=${["x".repeat(1025), ...names].join(",")}`);
  assert.deepEqual([spec.ignore.length, spec.ignore.at(0), spec.ignore.at(-1)], [4095, "c0", "c4094"]);
  assert.equal(notices.length, 1);
});

test("a notice names the parameter and its value as they were written", () => {
  assert.deepEqual(parse("d=1e9").notices, [{ key: "d", found: "1e9", message: 'the link\'s d was "1e9"; used "1000" instead' }]);
});

test("rows that just fit stay as they are", () => {
  const most: Spec = { ...plain, d: 1000, n: 39_943, test: 2000 }; // 41,943 rows of 1000 are the most
  assert.deepEqual(fit(most), { spec: most, notices: [] });
  assert.deepEqual(fit({ ...most, n: 39_944 }).spec, most);
});

test("a query's parameters keep their order, and an = after the first is the value's", () => {
  assert.deepEqual(pairs("?b=2&&a=1%3D&c==&b"), [["b", "2"], ["a", "1="], ["c", "="], ["b", ""]]);
});

test("a value's form is what a link says of it", () => {
  assert.deepEqual([form("a,b"), form(0.5), form([1, 2]), form(["a,b", "c\\d"])], ["a,b", "0.5", "1,2", "a\\,b,c\\\\d"]);
});

test("another table of fields is read and written alike", () => {
  const table = [{ key: "days", kind: "ints", default: "1,2", min: 1, max: 9, options: [] }] as const;
  const { settings, notices } = readAll(table, "days=3,12&d=2");
  assert.deepEqual(settings, { days: [3, 9] });
  assert.deepEqual(notices.map(({ key }) => key), ["days", "d"]);
  assert.equal(write(table, settings), "days=3,9");
});
