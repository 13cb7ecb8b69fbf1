import { useKiosk } from '../kiosk-context.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { Sign } from '../ui/sign.tsx';

export function NotFoundScreen({ plate }: { plate: string }) {
  const { words, dispatch } = useKiosk();
  return (
    <Frame
      className="verdict"
      tone="doubt"
      title={words.notFound.title({ plate })}
      lead={words.notFound.lead}
      controls={
        <>
          <Button kind="primary" onPress={() => dispatch({ type: 'browse' })}>
            <Icon name="picture" />
            {words.notFound.browse}
          </Button>
          <Button onPress={() => dispatch({ type: 'change-plate' })}>{words.notFound.change}</Button>
          <Button onPress={() => dispatch({ type: 'help', open: true })}>
            <Icon name="phone" />
            {words.helpPanel.call}
          </Button>
        </>
      }
    >
      <Sign name="search" />
    </Frame>
  );
}
