import { qrPath } from '@hlid/protocol/pages/qr-path';
import { create } from 'qrcode';

/** A text as a QR code. @param label what it leads to */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size, path } = qrPath(modules);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
