import type { Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';

/** Draws a picture and reads its pixels, which pages with a content policy do not do. */
const PIXELS = `async (png) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { width, height, data } = context.getImageData(0, 0, image.width, image.height);
  return { width, height, data: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')) };
}`;

interface Pixels {
  width: number;
  height: number;
  /** Four bytes each, in base64: arrays are slow to pass on. */
  data: string;
}

/** The text of a QR code on a screen, as a camera reads it. */
export async function readQr(code: Locator): Promise<string> {
  const picture = await code.screenshot();
  const browser = code.page().context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  const reader = await browser.newPage();
  try {
    const read = `(${PIXELS})('${picture.toString('base64')}')`;
    const { width, height, data } = await reader.evaluate<Pixels>(read);
    return decodeQR({ width, height, data: Buffer.from(data, 'base64') });
  } finally {
    await reader.close();
  }
}
