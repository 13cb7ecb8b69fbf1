import { useKiosk } from '../kiosk-context.ts';
import { Frame } from '../ui/frame.tsx';
import { PayOnline } from '../ui/pay-online.tsx';

/** The edge does not answer: the page lives on and tries again. */
export function LostScreen({ paying, looking }: { paying: boolean; looking: boolean }) {
  const { words } = useKiosk();
  return (
    <Frame
      className="verdict waiting"
      tone="doubt"
      way="none"
      title={words.lost.title}
      lead={looking ? undefined : words.lost.lead}
    >
      <span className="spinner" />
      {!paying && <PayOnline />}
      {paying && <p className="until">{words.lost.paying}</p>}
    </Frame>
  );
}
