import { useRouterState } from '@tanstack/react-router';
import { CircleHelp } from 'lucide-react';
import { useId, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { loadRoomWords, roomWords, wordsOf } from '../words/words.ts';
import { ROOMS, type Room } from './rooms.ts';

const WORDS = wordsOf('shell');

/** A button that shows in two sentences what the room of the address is for. */
export function RoomHelp() {
  const room = useRouterState({ select: ({ location }) => roomAt(location.pathname) });
  return room === undefined ? null : <HelpOf key={room.key} room={room} />;
}

function HelpOf({ room }: { room: Room }) {
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const toggle = async () => {
    if (text !== null) return setText(null);
    await loadRoomWords(['help']);
    setText(roomWords('help').help[room.key]);
  };
  return (
    <>
      <IconButton
        label={WORDS.roomHelp}
        aria-expanded={text !== null}
        aria-controls={id}
        onPress={() => void toggle()}
      >
        <CircleHelp size={16} aria-hidden="true" />
      </IconButton>
      <p id={id} className="room-help" role="status" hidden={text === null}>
        {text}
      </p>
    </>
  );
}

/** The room of an address: the part after the site. */
function roomAt(pathname: string): Room | undefined {
  const [, , path] = pathname.split('/');
  return ROOMS.find((room) => room.path === path);
}
