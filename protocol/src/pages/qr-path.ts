/** The width of the light margin around the code, by ISO/IEC 18004. */
const QUIET = 4;

/** The squares of a QR code, by row and column; 1 is dark. */
interface QrModules {
  size: number;
  get(row: number, column: number): number;
}

/** A QR code as the path of an SVG, with its quiet zone: the `viewBox` is `0 0 {size} {size}`. */
export function qrPath(modules: QrModules): { size: number; path: string } {
  const squares: string[] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) squares.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`);
    }
  }
  return { size: modules.size + 2 * QUIET, path: squares.join('') };
}
