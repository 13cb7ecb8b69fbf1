import type { payLinkRoutes } from '@hlid/cloud/paying/pay/pay-link-routes';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { apiOf, read } from '../../calls/api.ts';
import { isOperator, type Session, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import { ContestDialog } from '../disputes/dispute-card.tsx';
import { DISPUTE } from '../disputes/dispute-words.ts';
import { EditVisitDialog } from './edit-visit-dialog.tsx';
import { JoinDialog } from './join-dialog.tsx';
import { ReopenDialog, SettleDialog, VoidDialog } from './settle-dialogs.tsx';
import { flagVisit, reviewVisit, VISIT_QUERIES, type Visit, type VisitWithHistory } from './visit-api.ts';
import { PermitDialog, ReceiptDialog, SplitDialog } from './visit-dialogs.tsx';
import { plateText } from './visit-shown.tsx';
import { ACT } from './visit-words.ts';

const payApi = apiOf<typeof payLinkRoutes>();

type Asked = 'edit' | 'settle' | 'void' | 'reopen' | 'split' | 'join' | 'permit' | 'receipt' | 'contest';
type Act = Extract<VisitWithHistory['actions'][number], Asked | 'review' | 'pay-link'>;

const DIALOGS = {
  edit: EditVisitDialog,
  settle: SettleDialog,
  void: VoidDialog,
  reopen: ReopenDialog,
  split: SplitDialog,
  join: JoinDialog,
  permit: PermitDialog,
  receipt: ReceiptDialog,
  contest: ContestVisit,
} as const satisfies Record<Asked, unknown>;

const KEYS: Readonly<Record<Act, string>> = {
  edit: 'e',
  settle: 's',
  void: 'v',
  review: 'r',
  reopen: 'o',
  split: 'd',
  join: 'i',
  permit: 'f',
  receipt: 'm',
  contest: 'c',
  'pay-link': 'b',
};

/** The number of acts up to which each has a button. */
const MOST_BUTTONS = 3;
/** If there are more acts, these keep a button; the others are in a menu. */
const FIRST: readonly Act[] = ['pay-link', 'edit', 'settle', 'void', 'reopen', 'review'];
const OTHERS: readonly Act[] = ['split', 'join', 'permit', 'receipt', 'contest'];

/** The acts that the cloud allows. Operators settle; a customer pays on the page on which drivers pay. */
function actsFor(session: Session, { actions, due }: VisitWithHistory): readonly Act[] {
  const pays = !isOperator(session) && due !== null && due.amount > 0;
  return [...FIRST, ...OTHERS].filter((act) => actions.includes(act) && (act !== 'pay-link' || pays));
}

function ContestVisit({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const title = DISPUTE.contestVisit({ plate: plateText(visit) });
  return <ContestDialog about={{ visitId: visit.id }} title={title} onClose={onClose} />;
}

/** The acts for a visit: buttons, a menu, and a key for each. */
export function VisitActs({ visit }: { visit: VisitWithHistory }) {
  const session = useSession();
  const review = useReview(visit);
  const [open, setOpen] = useState<Asked | null>(null);
  const acts = actsFor(session, visit);
  // A customer's permit does not cover the visit: it begins now.
  const nameOf = (act: Act) => (act === 'permit' && !isOperator(session) ? ACT.permitAhead : ACT[act]);
  const pay = usePay(visit);
  const run = (act: Act) => {
    if (act === 'review') review();
    else if (act === 'pay-link') pay();
    else setOpen(act);
  };
  const others = acts.filter((act) => OTHERS.includes(act));
  const inMenu = acts.length > MOST_BUTTONS && others.length > 1 ? others : [];
  const Shown = open === null ? null : DIALOGS[open];
  return (
    <>
      {acts
        .filter((act) => !inMenu.includes(act))
        .map((act) => (
          <Button
            key={act}
            look={act === 'settle' || act === 'pay-link' ? 'primary' : 'plain'}
            onPress={() => run(act)}
          >
            {nameOf(act)}
          </Button>
        ))}
      {inMenu.length > 0 && (
        <MenuTrigger>
          <Button>
            <Ellipsis size={14} aria-hidden="true" /> {ACT.more}
          </Button>
          <Popover className="popover" placement="bottom end">
            <Menu
              className="menu"
              aria-label={ACT.more}
              onAction={(key) => {
                const act = inMenu.find((one) => one === key);
                if (act) run(act);
              }}
            >
              {inMenu.map((act) => (
                <MenuItem key={act} id={act} textValue={nameOf(act)}>
                  {nameOf(act)} <kbd>{KEYS[act]}</kbd>
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {acts.map((act) => (
        <ActKey key={act} act={act} name={nameOf(act)} run={open === null ? () => run(act) : null} />
      ))}
      {Shown && <Shown visit={visit} onClose={() => setOpen(null)} />}
    </>
  );
}

function ActKey({ act, name, run }: { act: Act; name: string; run: (() => void) | null }) {
  useShortcut(KEYS[act], name, run);
  return null;
}

/** Takes the flags off; undoing that puts them back. */
function useReview(visit: Visit): () => void {
  const toasts = useToasts();
  const reload = useReload();
  const review = useSubmit(({ id }: Visit, headers) => reviewVisit(id, headers), {
    invalidates: VISIT_QUERIES,
    onDone: (_, { id, flags, ...reviewed }) => {
      // That flag marks payments too, and stays off.
      const isFinal = flags.every((flag) => flag === 'settled-twice');
      toasts.done(
        ACT.done.reviewed({ plate: plateText(reviewed) }),
        isFinal
          ? undefined
          : async () => {
              await flagVisit(id, flags);
              reload(VISIT_QUERIES);
            },
      );
    },
  });
  return () => review.mutate(visit, { onError: toasts.failed });
}

/** Leads to the stay on the payment page, in the same tab: one way back leads here. */
function usePay({ id }: Visit): () => void {
  const toasts = useToasts();
  const begin = useSubmit(
    (_: null, headers) =>
      read(
        payApi.visit[':id']['pay-link'].$post({ param: { id }, json: { language: LANGUAGE } }, { headers }),
      ),
    { invalidates: [], onDone: ({ url }) => location.assign(url) },
  );
  return () => begin.mutate(null, { onError: toasts.failed });
}
