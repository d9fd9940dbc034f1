// What is said of packed files. core/packed/messages.go has the same.

const listed = (names: readonly string[]): string => names.slice(0, 20).map((name) => `“${name}”`).join(", ") + (names.length > 20 ? " …" : "");
const leftOut = (names: readonly string[], because: string): string => `${names.length === 1 ? "column" : "columns"} ${listed(names)} ${names.length === 1 ? "is left out: it contains" : "are left out: they contain"} ${because}`;
const noValues = (names: readonly string[]): string => leftOut(names, "bytes or intervals, not texts or numbers");
const size = (bytes: number): string => (bytes >= 1 << 30 ? `${bytes / (1 << 30)} GB` : `${bytes / (1 << 20)} MB`);

export const packed = {
  damagedGzip: "this gzip file is damaged or incomplete. Download or compress it again",
  large: (most: number) => `it unpacks to more than ${size(most)}, the limit. Use fewer rows`,
  notZip: "this zip archive is damaged or incomplete. Download or compress it again",
  damagedMember: (name: string) => `${name} in this archive is damaged. Download or compress it again`,
  encryptedMember: (name: string) => `${name} in this archive is encrypted. Unpack it with its password and open the file inside`,
  method: (name: string, method: number) => `${name} in this archive uses an unknown compression (method ${method}). Unpack it and open the file inside`,
  empty: "this archive is empty. Add the table to it",
  deep: "this archive contains an archive in an archive. Unpack it and open the table inside",
  members: (names: readonly string[]) => `this archive contains ${names.length} files: ${listed(names)}. Which one is the table?`,
  noMember: (found: string, names: readonly string[]) => `this archive contains no file “${found}”. Which one is the table: ${listed(names)}?`,
  sheets: (names: readonly string[]) => `this workbook has ${names.length} sheets with cells: ${listed(names)}. Which one is the table?`,
  noSheet: (found: string, names: readonly string[]) => `this workbook has no sheet “${found}” with cells. Which one is the table: ${listed(names)}?`,
  noSheets: "this workbook has no cells. Add a header and rows, or choose another file",
  damagedWorkbook: "this Excel workbook is damaged. Open it in a spreadsheet program and save it again",
  binaryWorkbook: "this is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV",
  openDocument: "this is an OpenDocument spreadsheet. Save it as .xlsx or CSV",
  oldWorkbook: "this is an old Excel workbook (.xls). Save it as .xlsx or CSV",
  lockedWorkbook: "this Excel workbook is encrypted. Save it without a password, or save the sheet as CSV",
  titles: (rows: number, text: string) => `the ${rows === 1 ? "row" : `${rows} rows`} above the table ${rows === 1 ? "is" : "are"} left out: “${text}”`,
  damagedParquet: (reason: string) => `this Parquet file is damaged or of an unknown kind (${reason}). Write it again`,
  lockedParquet: "this Parquet file is encrypted. Write it again without a key",
  noColumns: "this Parquet file has no columns",
  nestedOnly: (names: readonly string[]) => `every column of this Parquet file is nested: ${listed(names)}. Write it again with one column per value, for example with pandas.json_normalize or DataFrame.explode`,
  nested: (names: readonly string[]) => leftOut(names, "lists, maps or records. Write one column per value, for example with pandas.json_normalize or DataFrame.explode"),
  noValues,
  noValuesLeft: (names: readonly string[]) => `no column is left: ${noValues(names)}`,
  hiddenRows: (rows: number, visible: boolean) => `${rows === 1 ? "1 row of the sheet is hidden, perhaps by a filter; it is" : `${rows} rows of the sheet are hidden, perhaps by a filter; they are`} ${visible ? "left out" : "read"}`,
  readHidden: "read all rows",
  leaveHidden: "leave out hidden rows",
  unsavedFormulas: (cells: number) => `${cells === 1 ? "1 cell holds a formula that was saved without its value and counts" : `${cells} cells hold formulas that were saved without their values and count`} as missing. Open the workbook in Excel and save it`,
  lost: "the reader for this kind of file could not be loaded. Check the connection and try again",
};
