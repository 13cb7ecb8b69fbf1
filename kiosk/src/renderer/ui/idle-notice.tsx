import { Dialog } from '@hlid/ui/dialog';
import { useKiosk } from '../kiosk-context.ts';
import { Button } from './button.tsx';

/** The countdown; any touch ends it. */
export function IdleNotice({ seconds }: { seconds: number }) {
  const { words, dispatch } = useKiosk();
  const stay = () => dispatch({ type: 'idle', seconds: null });
  return (
    <Dialog title={words.idle.title} urgent onClose={stay}>
      <p className="countdown" aria-hidden="true">
        {seconds}
      </p>
      <p className="lead">{words.idle.lead({ seconds })}</p>
      <div className="choices">
        <Button onPress={() => dispatch({ type: 'idle-over' })}>{words.startOver}</Button>
        <Button kind="primary" onPress={stay}>
          {words.idle.stay}
        </Button>
      </div>
    </Dialog>
  );
}
