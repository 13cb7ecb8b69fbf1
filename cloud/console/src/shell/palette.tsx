import { useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { DialogFocus } from '../ui/dialog-focus.tsx';
import { plainText } from '../ui/plain-text.ts';
import { useFind } from './find/find-api.ts';
import { FindBox, type FindGroup } from './find/find-box.tsx';
import { FIND } from './find/find-words.ts';
import { groupsOf } from './find/found-groups.tsx';
import { type PaletteAct, usePaletteActs } from './palette-acts.tsx';
import { useGo } from './room-address.ts';
import { ROOM_NAMES } from './room-names.ts';
import { roomsOf } from './rooms.ts';
import { type Session, useSession } from './session.ts';
import { useSiteId } from './site.ts';
import type { Filters } from './use-filters.ts';

/** Cars that the palette shows; the page for finding has more. */
const MAX_CARS = 8;

/** Finds everything by name, from anywhere (Ctrl+K): plates as spoken, invoices, customers, rooms. */
export function Palette({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const go = useGo();
  const [text, setText] = useState('');
  const { found, error, isOld } = useFind(text, useSiteId());
  const open = (path: string, filters?: Filters) => {
    onClose();
    go(path, filters);
  };
  const cars = groupsOf(found, open, MAX_CARS);
  const rooms = roomGroup(session, text, open);
  const acts = actGroup(usePaletteActs(), text, onClose);
  const all = {
    title: FIND.results,
    options: [
      {
        id: 'all',
        content: <span className="find-rest">{FIND.all({ text: text.trim() })}</span>,
        open: () => open('find', { q: text.trim() }),
      },
    ],
  };
  // A room is typed by its name; a plate never begins as long as that.
  const named = [rooms, acts].filter(({ isNamed }) => isNamed);
  const others = [rooms, acts].filter(({ isNamed }) => !isNamed);
  const groups = [
    ...named.map(({ group }) => group),
    ...cars,
    ...(cars.length > 0 ? [all] : []),
    ...others.map(({ group }) => group),
  ].filter(({ options }) => options.length > 0);
  const count = cars.reduce((sum, { options }) => sum + options.length, 0);
  return (
    <ModalOverlay
      className="veil top"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className="palette">
        <Dialog aria-label={FIND.title}>
          <FindBox
            label={FIND.label}
            placeholder={FIND.placeholder}
            text={text}
            onChange={setText}
            groups={groups}
            isOld={isOld && named.length === 0}
            status={isOld || text === '' ? '' : FIND.count({ count })}
          >
            <p className="quiet-text">{isOld && !error ? ' ' : FIND.nothing}</p>
          </FindBox>
          <DialogFocus />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The rooms with a name that contains the text; `isNamed`: the text is one of the names. */
function roomGroup(
  session: Session,
  text: string,
  open: (path: string) => void,
): { group: FindGroup; isNamed: boolean } {
  const plain = plainText(text);
  const rooms = roomsOf(session).filter(({ key }) => plainText(ROOM_NAMES[key]).includes(plain));
  return {
    isNamed:
      plain === '' ||
      rooms.some(({ key }) => plain.length >= 3 && plainText(ROOM_NAMES[key]).startsWith(plain)),
    group: {
      title: FIND.rooms,
      options: rooms.map(({ key, path, icon: Icon }) => ({
        id: `room-${key}`,
        content: (
          <>
            <Icon size={14} aria-hidden="true" /> {ROOM_NAMES[key]}
          </>
        ),
        open: () => open(path),
      })),
    },
  };
}

/** The acts that have a name which begins with the text's first word, and has the others in it. */
function actGroup(
  acts: readonly PaletteAct[],
  text: string,
  onClose: () => void,
): { group: FindGroup; isNamed: boolean } {
  const words = plainText(text).split(/\s+/);
  const found = acts.filter(({ label, also, place }) => {
    return [label, ...also].some((one) => {
      const name = plainText(`${one} ${place ?? ''}`);
      return name.startsWith(words[0] ?? '') && words.every((word) => name.includes(word));
    });
  });
  return {
    isNamed: text.trim() === '' || (plainText(text).length >= 3 && found.length > 0),
    group: {
      title: FIND.acts,
      options: found.map(({ id, label, place, icon: Icon, run }) => ({
        id: `act-${id}`,
        content: (
          <>
            <Icon size={14} aria-hidden="true" /> {label}
            {place !== null && <span className="find-rest quiet-text">{place}</span>}
          </>
        ),
        open: () => {
          onClose();
          run();
        },
      })),
    },
  };
}
