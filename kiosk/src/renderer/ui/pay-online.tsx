import { useKiosk } from '../kiosk-context.ts';
import { QrCode } from './qr-code.tsx';
import { payPageOf } from './ways-to-pay.ts';

/** The way to the site's payment page, for drivers who prefer it to this kiosk or cannot use the kiosk. */
export function PayOnline() {
  const { words, site } = useKiosk();
  const page = payPageOf(site);
  if (page === null) return null;
  return (
    <div className="pay-by-code">
      <QrCode text={page} label={words.receipt.scan} />
      <p>{words.phone.offer}</p>
    </div>
  );
}
