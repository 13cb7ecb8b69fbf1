import { useKiosk } from '../kiosk-context.ts';
import { QrCode } from './qr-code.tsx';

/** The way to the site's payment page, for drivers who do not want or cannot use this kiosk. */
export function PayOnline() {
  const { words, site } = useKiosk();
  if (site.payOnline === null) return null;
  return (
    <div className="pay-by-code">
      <QrCode text={site.payOnline} label={words.receipt.scan} />
      <p>{words.phone.offer}</p>
    </div>
  );
}
