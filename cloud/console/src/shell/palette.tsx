import { useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { useFind } from './find/find-api.ts';
import { FindBox, type FindGroup } from './find/find-box.tsx';
import { FIND } from './find/find-words.ts';
import { groupsOf } from './find/found-groups.tsx';
import { useGo } from './room-address.ts';
import { ROOM_NAMES } from './room-names.ts';
import { roomsOf } from './rooms.ts';
import { type Session, useSession } from './session.ts';
import { useSiteId } from './site.ts';
import type { Filters } from './use-filters.ts';

/** Cars that the palette shows; the page for finding has more. */
const MAX_CARS = 8;

/** Everything by name, from anywhere (Ctrl+K): plates as they are heard, invoices, customers, rooms. */
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
  const all = {
    title: FIND.results,
    options: [
      {
        id: 'all',
        content: <span className="find-rest">{FIND.all(text.trim())}</span>,
        open: () => open('find', { q: text.trim() }),
      },
    ],
  };
  // A room is typed by its name; a plate never begins as long as that.
  const groups = [...(rooms.isNamed ? [rooms.group] : []), ...cars, ...(cars.length > 0 ? [all] : [])];
  if (!rooms.isNamed && rooms.group.options.length > 0) groups.push(rooms.group);
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
            isOld={isOld && !rooms.isNamed}
            status={isOld || text === '' ? '' : FIND.count(count)}
          >
            <p className="quiet-text">{isOld && !error ? ' ' : FIND.nothing}</p>
          </FindBox>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The rooms whose names contain the text; `isNamed`: one of them is meant. */
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

/** Without accents and capitals, as people type in a hurry. */
function plainText(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
