import { useEffect, useState } from 'react';
import { useFind } from '../../shell/find/find-api.ts';
import { FindBox } from '../../shell/find/find-box.tsx';
import { FIND } from '../../shell/find/find-words.ts';
import { groupsOf } from '../../shell/find/found-groups.tsx';
import { readPurpose, storePurpose } from '../../shell/find/purpose.ts';
import { useGo } from '../../shell/room-address.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { useSiteId } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';

const MAX_CARS = 50;
/** The address follows what is typed after a pause. */
const ADDRESS_PAUSE_MS = 400;

/** The same search as the palette's, with all results and larger pictures. */
export function FindPage() {
  const session = useSession();
  const go = useGo();
  const { filters, setFilters } = useFilters();
  const [text, setText] = useState(filters['q'] ?? '');
  const [purpose, setPurpose] = useState(readPurpose);
  const { found, error, isOld } = useFind(text, useSiteId());
  const groups = groupsOf(found, go, MAX_CARS);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the text, and nothing else
  useEffect(() => {
    const timer = setTimeout(() => setFilters({ q: text.trim() }), ADDRESS_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Page
      title={FIND.title}
      isWide={false}
      {...(isOperator(session) && {
        filters: (
          <TextField
            label={FIND.purpose}
            hint={FIND.purposeHint}
            value={purpose}
            maxLength={200}
            onChange={(typed) => {
              setPurpose(typed);
              storePurpose(typed);
            }}
          />
        ),
      })}
    >
      <div className="find-page">
        <FindBox
          label={FIND.label}
          placeholder={FIND.placeholder}
          text={text}
          onChange={setText}
          groups={groups}
          isOld={isOld}
          status={isOld || text === '' ? '' : FIND.count({ count })}
        />
      </div>
      {error !== null && found === null && <Failed error={error} />}
      {text.trim() === '' && <p className="quiet-text">{FIND.begin}</p>}
      {text.trim() !== '' && !isOld && count === 0 && error === null && (
        <Empty title={FIND.nothing}>
          <p>{FIND.nothingHint}</p>
        </Empty>
      )}
    </Page>
  );
}
