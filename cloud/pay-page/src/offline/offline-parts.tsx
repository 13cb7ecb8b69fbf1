import { qrPath } from '@hlid/protocol/pages/qr-path';
import { create } from 'qrcode';
import { useMemo } from 'react';
import { usePay } from '../pay-context.ts';
import { Icon } from '../ui/icon.tsx';

/** The hint before a payment that the car park cannot be informed of it, and what happens then. */
export function OfflineHint() {
  const { words } = usePay();
  return (
    <p className="notice" data-tone="mark">
      <Icon name="alert" />
      <span>{words.siteOffline.before}</span>
    </p>
  );
}

/** The code as a picture, for the reader at the exit. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(create(text, { errorCorrectionLevel: 'M' }).modules), [text]);
  return (
    <svg className="exit-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  );
}

/** The codes of payments of which the car park is not informed yet. The driver types them at its kiosk. */
export function ExitCodes({ codes }: { codes: readonly string[] }) {
  const words = usePay().words.siteOffline;
  return (
    <section className="exit-codes" role="status">
      <p>{words.lead}</p>
      {codes.map((code) => (
        <div key={code}>
          <strong className="exit-code" translate="no">
            {code}
          </strong>
          <QrCode text={code} label={words.scan} />
        </div>
      ))}
      <p>{words.help}</p>
    </section>
  );
}
