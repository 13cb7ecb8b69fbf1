import { useKiosk } from '../kiosk-context.ts';
import { enteredText } from '../site-clock.ts';
import { type Screen, SHORTEST_PLATE } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { EntryPicture } from '../ui/entry-picture.tsx';
import { Frame } from '../ui/frame.tsx';
import { PlateKeyboard } from '../ui/plate-keyboard.tsx';
import { TypedField } from '../ui/typed-field.tsx';

/** The driver types the plate that no camera could read. */
export function NamePlateScreen({ screen }: { screen: Extract<Screen, { at: 'name-plate' }> }) {
  const { words, language, site, dispatch } = useKiosk();
  const { visit, typed, sending, trouble } = screen;
  const send = () => dispatch({ type: 'send' });
  return (
    <Frame
      className="typing naming"
      title={words.plate.nameTitle}
      lead={words.plate.nameLead}
      controls={
        <>
          {trouble !== null && (
            <p className="note bad" role="alert">
              {trouble === 'too-many-requests' ? words.plate.tooMany : words.plate.refused}
            </p>
          )}
          <TypedField label={words.plate.field} text={typed} plate />
          <PlateKeyboard onEnter={send}>
            <Button className="key wide" onPress={() => dispatch({ type: 'clear' })} disabled={typed === ''}>
              {words.plate.clear}
            </Button>
            <Button
              kind="primary"
              className="key widest"
              onPress={send}
              disabled={sending || typed.length < SHORTEST_PLATE}
            >
              {words.plate.send}
            </Button>
          </PlateKeyboard>
        </>
      }
    >
      <div className="this-car">
        <EntryPicture visit={visit} />
        <p>{enteredText(visit.startedAt, new Date(), site.timeZone, language)}</p>
      </div>
    </Frame>
  );
}
