// @ts-check
/** The files that are read, made anew from a seed. */

/**
 * A file, and what a program that read it must know of it. The sum of a column
 * is that of the numbers as they are written.
 *
 * @typedef {{ file: File, rows: number, columns: number, column: number, sum: number, features: number }} Made
 */

/** 100 MB of 20 Gaussian columns with eight digits; `part` of it in a smoke pass. @param {number} part @returns {Made} */
export function numbers(part) {
  const columns = 20, draw = gaussian(random(1));
  const text = new Text(`${Array.from({ length: columns }, (_, j) => `x${j}`).join(",")}\n`);
  let rows = 0, sum = 0;
  for (; text.size < 100e6 * part; rows++) {
    let row = "";
    for (let j = 0; j < columns; j++) {
      const cell = draw().toPrecision(8);
      if (j === columns - 1) sum += Number(cell);
      row += j === 0 ? cell : `,${cell}`;
    }
    text.add(`${row}\n`);
  }
  return { file: text.file("numbers.csv"), rows, columns, column: columns - 1, sum, features: columns - 1 };
}

/**
 * A million ratings of 4000 items by 6000 users, each pair once: users as
 * active as a log-normal draw with σ = 1.1, items as popular as
 * 1/(rank + 30)^1.1, and
 *
 *     rating = 3.6 + bᵤ + bᵢ + ⟨pᵤ, qᵢ⟩ + e
 *
 * with standard deviations .4, .5, .5 and .8, the product of rank 8. In a smoke
 * pass they are `part` as many, of fewer.
 *
 * @param {number} part @returns {Made}
 */
export function ratings(part) {
  const [users, items] = part < 1 ? [120, 80] : [6000, 4000], rows = 1_000_000 * part, rank = 8;
  const uniform = random(2), normal = gaussian(uniform);
  const user = chooser(Array.from({ length: users }, () => Math.exp(1.1 * normal())), uniform);
  const popularity = shuffle(Array.from({ length: items }, (_, i) => (i + 30) ** -1.1), uniform);
  const item = chooser(popularity, uniform);
  const seen = new Uint8Array(users * items), pairs = new Uint32Array(rows);
  for (let n = 0; n < rows;) {
    const pair = user() * items + item();
    if (seen[pair] === 1) continue;
    seen[pair] = 1;
    pairs[n++] = pair;
  }
  shuffle(pairs, uniform);
  const many = (/** @type {number} */ n, /** @type {number} */ sd) => Float64Array.from({ length: n }, () => sd * normal());
  const ofUser = many(users, 0.4), ofItem = many(items, 0.5);
  const scale = Math.sqrt(0.5 / Math.sqrt(rank)), p = many(users * rank, scale), q = many(items * rank, scale);
  const text = new Text("user,item,rating\n");
  let sum = 0;
  for (const pair of pairs) {
    const u = Math.floor(pair / items), i = pair % items;
    let rating = 3.6 + Number(ofUser[u]) + Number(ofItem[i]) + 0.8 * normal();
    for (let f = 0; f < rank; f++) rating += Number(p[u * rank + f]) * Number(q[i * rank + f]);
    const cell = rating.toFixed(4);
    sum += Number(cell);
    text.add(`u${u},i${i},${cell}\n`);
  }
  return { file: text.file("ratings.csv"), rows, columns: 3, column: 2, sum, features: (part < 1 ? 0.5 : 0.9) * (users + items) }; // of few ratings, more levels are rare
}

/** A file that is written piece by piece. */
class Text {
  size = 0;
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #parts = [];
  #open = "";

  constructor(/** @type {string} */ header) {
    this.add(header);
  }

  add(/** @type {string} */ ascii) {
    this.size += ascii.length;
    this.#open += ascii;
    if (this.#open.length > 1 << 20) this.#close();
  }

  file(/** @type {string} */ name) {
    this.#close();
    return new File(this.#parts, name);
  }

  #close() {
    this.#parts.push(new TextEncoder().encode(this.#open));
    this.#open = "";
  }
}

/** Uniform draws from [0, 1): the generator known as mulberry32. @param {number} seed */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal draws. @param {() => number} uniform */
function gaussian(uniform) {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Draws an index with the probability of its weight. @param {number[]} weights @param {() => number} uniform */
function chooser(weights, uniform) {
  let total = 0;
  const ends = Float64Array.from(weights, (weight) => (total += weight));
  return () => {
    const at = uniform() * total;
    let lo = 0, hi = ends.length - 1;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (Number(ends[middle]) > at) hi = middle;
      else lo = middle + 1;
    }
    return lo;
  };
}

/** @template {Uint32Array | number[]} List @param {List} list @param {() => number} uniform */
function shuffle(list, uniform) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1));
    [list[i], list[j]] = [Number(list[j]), Number(list[i])];
  }
  return list;
}
