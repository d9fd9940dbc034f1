// What is said of files that hold their tables packed. The command says the same:
// core/packed/said.go.

const listed = (names: readonly string[]): string => names.slice(0, 20).map((name) => `“${name}”`).join(", ") + (names.length > 20 ? " …" : "");
const leftOut = (names: readonly string[], because: string): string => `${names.length === 1 ? "column" : "columns"} ${listed(names)} ${names.length === 1 ? "is left out: it holds" : "are left out: they hold"} ${because}`;
const noValues = (names: readonly string[]): string => leftOut(names, "bytes or intervals and no texts or numbers");
const size = (bytes: number): string => (bytes >= 1 << 30 ? `${bytes / (1 << 30)} GB` : `${bytes / (1 << 20)} MB`);

export const packed = {
  damagedGzip: "this gzip file is damaged or ends too soon; fetch it or pack it again",
  large: (most: number) => `it unpacks to more than ${size(most)}, the most that is read; cut the table down to fewer rows`,
  notZip: "this zip archive is damaged or ends too soon; fetch it or pack it again",
  damagedMember: (name: string) => `${name} in this archive is damaged; fetch it or pack it again`,
  encryptedMember: (name: string) => `${name} in this archive is encrypted; unpack it with its password and open the file inside`,
  method: (name: string, method: number) => `${name} in this archive is packed in a way that is not known here (method ${method}); unpack it and open the file inside`,
  empty: "this archive holds no file; pack the table again",
  deep: "this archive holds an archive in an archive; unpack it and open the table inside",
  members: (names: readonly string[]) => `this archive holds ${names.length} files: ${listed(names)}; say which one is the table`,
  noMember: (found: string, names: readonly string[]) => `this archive holds no file “${found}”; say which one is the table: ${listed(names)}`,
  sheets: (names: readonly string[]) => `this workbook has ${names.length} sheets with cells: ${listed(names)}; say which one is the table`,
  noSheet: (found: string, names: readonly string[]) => `this workbook has no sheet “${found}” with cells; say which one is the table: ${listed(names)}`,
  noSheets: "no sheet of this workbook has any cells; write a header and rows into one, or choose another file",
  damagedWorkbook: "this Excel workbook is damaged; open it in a spreadsheet and save it again",
  binaryWorkbook: "this is a binary Excel workbook (.xlsb), want .xlsx; save it as .xlsx or as CSV",
  openDocument: "this is an OpenDocument spreadsheet, want .xlsx; save it as .xlsx or as CSV",
  oldWorkbook: "this is an old Excel workbook (.xls), want .xlsx; save it as .xlsx or as CSV",
  lockedWorkbook: "this Excel workbook is encrypted; open it with its password and save it without one, or save the sheet as CSV",
  titles: (rows: number, text: string) => `the ${rows === 1 ? "row" : `${rows} rows`} above the table ${rows === 1 ? "is" : "are"} left out: “${text}”`,
  damagedParquet: (reason: string) => `this Parquet file is damaged or of a kind that is not known here (${reason}); write it again`,
  lockedParquet: "this Parquet file is encrypted; write it again without a key",
  noColumns: "this Parquet file has no columns",
  nestedOnly: (names: readonly string[]) => `every column of this Parquet file is nested: ${listed(names)}; write it again with a column for each value, as pandas.json_normalize or DataFrame.explode make them`,
  nested: (names: readonly string[]) => leftOut(names, "lists, maps or records and not one value a row; write a column for each value, as pandas.json_normalize or DataFrame.explode make them"),
  noValues,
  noValuesLeft: (names: readonly string[]) => `no column is left; ${noValues(names)}`,
  hiddenRows: (rows: number, visible: boolean) => `${rows === 1 ? "1 row of the sheet is hidden, perhaps by a filter; it is" : `${rows} rows of the sheet are hidden, perhaps by a filter; they are`} ${visible ? "left out" : "read"}`,
  readHidden: "read all rows",
  leaveHidden: "leave hidden rows out",
  unsavedFormulas: (cells: number) => `${cells === 1 ? "1 cell holds a formula that was saved without its value and counts" : `${cells} cells hold formulas that were saved without their values and count`} as missing; open the workbook in Excel and save it`,
  lost: "what reads this kind of file could not be loaded, perhaps because the connection was lost; try again",
};
