import { usePay } from '../pay-context.ts';
import { Icon } from '../ui/icon.tsx';
import { OFFLINE_WORDS } from './offline-words.ts';

/** Before a payment: what happens after it, since the car park cannot hear of it. */
export function OfflineHint() {
  const { language } = usePay();
  return (
    <p className="notice" data-tone="mark">
      <Icon name="alert" />
      <span>{OFFLINE_WORDS[language].before}</span>
    </p>
  );
}

/** The codes of payments of which the car park has not heard. The driver types them at its kiosk. */
export function ExitCodes({ codes }: { codes: readonly string[] }) {
  const { language } = usePay();
  const words = OFFLINE_WORDS[language];
  return (
    <section className="exit-codes" role="status">
      <p>{words.lead}</p>
      {codes.map((code) => (
        <strong key={code} className="exit-code" translate="no">
          {code}
        </strong>
      ))}
      <p>{words.help}</p>
    </section>
  );
}
