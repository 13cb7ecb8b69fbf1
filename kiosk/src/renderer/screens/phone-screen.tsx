import { formatMoney } from '@hlid/protocol/base/money';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useKiosk } from '../kiosk-context.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { payPageOf, takesCards } from '../ui/ways-to-pay.ts';

/** The code that leads to this stay on the driver's phone. What is due is followed, so the screen sees the payment. */
export function PhoneScreen({ screen }: { screen: Extract<Screen, { at: 'phone' }> }) {
  const { words, language, site, dispatch } = useKiosk();
  const { due, link, trouble } = screen;
  const amount = formatMoney(due, language);
  // A third party's payment page has no stays: there the driver types the plate.
  const page = payPageOf(site);
  const offered = link ?? (trouble === 'not-offered' ? page : null);
  // Without the cloud, the site would not be informed of the payment.
  const code = site.cloudConnected ? offered : null;
  return (
    <Frame
      className="by-phone"
      title={words.phone.offer}
      lead={link === null && code !== null ? words.phone.typePlate : words.phone.lead}
      controls={
        takesCards(site) && (
          <Button onPress={() => dispatch({ type: 'pay', key: randomUuid() })}>
            <Icon name="card" />
            {words.phone.byCard}
          </Button>
        )
      }
    >
      <div className="phone-code">
        {code === null ? <span className="spinner" /> : <QrCode text={code} label={words.receipt.scan} />}
        <div>
          <p className="phone-amount">
            <span>{words.due.total}</span> <strong>{amount}</strong>
          </p>
          {code === null && (trouble !== null || !site.cloudConnected) ? (
            <p className="note doubt" role="status">
              <Icon name="alert" />
              {words.phone.noCode}
            </p>
          ) : (
            link !== null && <p>{words.phone.follows}</p>
          )}
        </div>
      </div>
    </Frame>
  );
}
