import { qrPath } from '@hlid/protocol/pages/qr-path';
import { create } from 'qrcode';

/** The squares of a QR code, as the path of an SVG. */
export function qrSquares(text: string): { size: number; path: string } {
  return qrPath(create(text, { errorCorrectionLevel: 'M' }).modules);
}

/** A QR code as an SVG document. */
export function qrSvg(text: string): string {
  const { size, path } = qrSquares(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
}
