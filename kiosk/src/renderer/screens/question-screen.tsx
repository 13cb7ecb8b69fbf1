import { useKiosk } from '../kiosk-context.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { Sign } from '../ui/sign.tsx';
import { VisitFacts } from '../ui/visit-card.tsx';

type QuestionScreenState = Extract<Screen, { at: 'question' }>;

/** The exit asks this driver for a visit that may be another's: is it his? */
export function QuestionScreen({ screen }: { screen: QuestionScreenState }) {
  const { words, dispatch } = useKiosk();
  const { visit, sending, trouble } = screen;
  if (trouble !== null) return <NotOpened screen={screen} />;
  return (
    <Frame
      className="choosing one"
      title={words.question.title}
      lead={words.question.lead}
      controls={
        <>
          <Button
            kind="primary"
            className="huge"
            disabled={sending}
            onPress={() => dispatch({ type: 'pick', visit })}
          >
            <Icon name="tick" />
            {words.choose.yes}
          </Button>
          <Button disabled={sending} onPress={() => dispatch({ type: 'not-mine' })}>
            {sending ? words.question.sending : words.question.no}
          </Button>
        </>
      }
    >
      <div className="card large">
        <VisitFacts visit={visit} />
      </div>
      <p className="hint">{words.question.noMore}</p>
    </Frame>
  );
}

function NotOpened({ screen }: { screen: QuestionScreenState }) {
  const { words, dispatch } = useKiosk();
  return (
    <Frame
      className="verdict"
      tone="doubt"
      title={words.question.refused}
      lead={words.question.refusedMore}
      controls={
        <>
          <Button kind="primary" onPress={() => dispatch({ type: 'help', open: true })}>
            <Icon name="phone" />
            {words.helpPanel.call}
          </Button>
          <Button onPress={() => dispatch({ type: 'pick', visit: screen.visit })}>{words.choose.yes}</Button>
        </>
      }
    >
      <Sign name="help" />
    </Frame>
  );
}
