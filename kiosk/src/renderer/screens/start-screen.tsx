import { useKiosk } from '../kiosk-context.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { GateDrawing } from '../ui/gate-drawing.tsx';
import { Icon } from '../ui/icon.tsx';
import { PayOnline } from '../ui/pay-online.tsx';
import { takesCards } from '../ui/ways-to-pay.ts';

export function StartScreen() {
  const { words, language, site, dispatch } = useKiosk();
  const prices = site.prices?.[language] ?? [];
  return (
    <Frame
      className="start"
      way="none"
      languages
      title={words.start.lead}
      controls={
        <>
          {!takesCards(site) && (
            <p className="note doubt">
              <Icon name="alert" />
              {words.start.cardsAway}
            </p>
          )}
          <Button kind="primary" className="huge" onPress={() => dispatch({ type: 'begin' })}>
            {words.start.pay}
          </Button>
          <Button onPress={() => dispatch({ type: 'browse' })}>
            <Icon name="picture" />
            {words.start.browse}
          </Button>
        </>
      }
    >
      <GateDrawing />
      {prices.length > 0 && (
        <ul className="prices">
          {prices.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="start-ways">
        <ol className="steps" aria-label={words.steps.label}>
          <li>
            <Icon name="car" />
            {words.steps.plate}
          </li>
          <li>
            <Icon name="card" />
            {words.steps.card}
          </li>
          <li>
            <Icon name="gate" />
            {words.steps.leave}
          </li>
        </ol>
        <PayOnline />
      </div>
    </Frame>
  );
}
