import { qrPath } from '@hlid/protocol/pages/qr-path';
import { create } from 'qrcode';
import { useMemo } from 'react';

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(create(text, { errorCorrectionLevel: 'M' }).modules), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
