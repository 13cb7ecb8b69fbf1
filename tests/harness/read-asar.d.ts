/** The files of an asar archive, by path: two Chromium pickles, of a length and of JSON, and then the contents. */
export declare function readAsar(file: string): Map<string, Buffer>;
