// The f64x2 body of kernel.Sparse, m rows of a matrix of zeros and ones: start
// has m+1 elements, and column start[i] to column start[i+1] are where row i
// holds a 1. The columns of P and R are taken eight, four, two and one at a time,
// whose sums then stay in registers; each pass reads the columns again.

/** dst += Z·P, for a row of dst the elements of Z in turn. */
export function sparseForward(m: i32, k: i32, dst: usize, start: usize, column: usize, p: usize): void {
  const row = <usize>k << 3;
  let f = 0;
  for (; f + 8 <= k; f += 8) {
    let to = dst + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const from = p + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      let s0 = v128.load(to), s1 = v128.load(to, 16), s2 = v128.load(to, 32), s3 = v128.load(to, 48);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        const x = from + <usize>load<i32>(e) * row;
        s0 = f64x2.add(s0, v128.load(x));
        s1 = f64x2.add(s1, v128.load(x, 16));
        s2 = f64x2.add(s2, v128.load(x, 32));
        s3 = f64x2.add(s3, v128.load(x, 48));
      }
      v128.store(to, s0);
      v128.store(to, s1, 16);
      v128.store(to, s2, 32);
      v128.store(to, s3, 48);
      to += row;
    }
  }
  for (; f + 4 <= k; f += 4) {
    let to = dst + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const from = p + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      let s0 = v128.load(to), s1 = v128.load(to, 16);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        const x = from + <usize>load<i32>(e) * row;
        s0 = f64x2.add(s0, v128.load(x));
        s1 = f64x2.add(s1, v128.load(x, 16));
      }
      v128.store(to, s0);
      v128.store(to, s1, 16);
      to += row;
    }
  }
  for (; f + 2 <= k; f += 2) {
    let to = dst + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const from = p + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      let sum = v128.load(to);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        sum = f64x2.add(sum, v128.load(from + <usize>load<i32>(e) * row));
      }
      v128.store(to, sum);
      to += row;
    }
  }
  if (f < k) {
    let to = dst + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const from = p + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      let sum = load<f64>(to);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) sum += load<f64>(from + <usize>load<i32>(e) * row);
      store<f64>(to, sum);
      to += row;
    }
  }
}

/** acc += Zᵀ·R, one row after the other. */
export function sparseAdjoint(m: i32, k: i32, acc: usize, start: usize, column: usize, r: usize): void {
  const row = <usize>k << 3;
  let f = 0;
  for (; f + 8 <= k; f += 8) {
    let from = r + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const to = acc + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      const r0 = v128.load(from), r1 = v128.load(from, 16), r2 = v128.load(from, 32), r3 = v128.load(from, 48);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        const x = to + <usize>load<i32>(e) * row;
        v128.store(x, f64x2.add(v128.load(x), r0));
        v128.store(x, f64x2.add(v128.load(x, 16), r1), 16);
        v128.store(x, f64x2.add(v128.load(x, 32), r2), 32);
        v128.store(x, f64x2.add(v128.load(x, 48), r3), 48);
      }
      from += row;
    }
  }
  for (; f + 4 <= k; f += 4) {
    let from = r + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const to = acc + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      const r0 = v128.load(from), r1 = v128.load(from, 16);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        const x = to + <usize>load<i32>(e) * row;
        v128.store(x, f64x2.add(v128.load(x), r0));
        v128.store(x, f64x2.add(v128.load(x, 16), r1), 16);
      }
      from += row;
    }
  }
  for (; f + 2 <= k; f += 2) {
    let from = r + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const to = acc + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      const r0 = v128.load(from);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        const x = to + <usize>load<i32>(e) * row;
        v128.store(x, f64x2.add(v128.load(x), r0));
      }
      from += row;
    }
  }
  if (f < k) {
    let from = r + (<usize>f << 3), e = column + (<usize>load<i32>(start) << 2), s = start;
    const to = acc + (<usize>f << 3);
    for (let i = 0; i < m; i++) {
      s += 4;
      const r0 = load<f64>(from);
      for (const end = column + (<usize>load<i32>(s) << 2); e < end; e += 4) {
        const x = to + <usize>load<i32>(e) * row;
        store<f64>(x, load<f64>(x) + r0);
      }
      from += row;
    }
  }
}
