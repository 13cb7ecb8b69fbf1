import { qrPath } from '@hlid/protocol/pages/qr-path';
import { create } from 'qrcode';

/** How the driver at an exit pays by phone. A display that draws shows the code, one with letters only the address. */
export interface PhonePayment {
  /**
   * The address of the site's payment page. The plate stands behind `#`, which browsers do not send to a
   * server.
   */
  url: string;
  /** The address as people type it. */
  address: string;
  /** `url` as the path of an SVG: its `viewBox` is `0 0 {size} {size}`, with the light squares around it. */
  qr: { size: number; path: string };
}

/** @param plate as the camera read it; null: it could not */
export function phonePayment(payOnline: string, plate: string | null): PhonePayment {
  const page = new URL(payOnline);
  if (plate !== null && page.hash === '') page.hash = `plate=${encodeURIComponent(plate)}`;
  const url = page.href;
  return {
    url,
    address: payOnline.replace(/^https?:\/\//, '').replace(/\/$/, ''),
    qr: qrPath(create(url, { errorCorrectionLevel: 'M' }).modules),
  };
}
