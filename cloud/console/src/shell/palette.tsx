import { useNavigate, useParams } from '@tanstack/react-router';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { wordsIn } from '../words/words.ts';
import { ROOM_NAMES } from './room-names.ts';
import { roomsOf } from './rooms.ts';
import { useSession } from './session.ts';

const WORDS = wordsIn(
  { title: 'Find', placeholder: 'Room, plate, invoice …', nothing: 'Nothing found' },
  { title: 'Finna', placeholder: 'Herbergi, bílnúmer, reikningur …', nothing: 'Ekkert fannst' },
);

/** Everything by name, from anywhere (Ctrl+K). */
export function Palette({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const { site = 'all' } = useParams({ strict: false });
  const { contains } = useFilter({ sensitivity: 'base' });
  const rooms = roomsOf(session);
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
        <Dialog aria-label={WORDS.title}>
          <Autocomplete filter={contains}>
            <SearchField aria-label={WORDS.title} autoFocus>
              <Input placeholder={WORDS.placeholder} />
            </SearchField>
            <Menu
              className="menu"
              aria-label={WORDS.title}
              renderEmptyState={() => <p className="quiet-text">{WORDS.nothing}</p>}
              onAction={(key) => {
                onClose();
                void navigate({ to: `/${site}/${key}` });
              }}
            >
              {rooms.map(({ key, path, icon: Icon }) => (
                <MenuItem key={key} id={path} textValue={ROOM_NAMES[key]}>
                  <Icon size={14} aria-hidden="true" /> {ROOM_NAMES[key]}
                </MenuItem>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
