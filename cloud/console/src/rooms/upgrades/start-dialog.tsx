import { useId, useState } from 'react';
import { read } from '../../calls/api.ts';
import { type Site, useSites } from '../../shell/site.ts';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { type EdgePackage, ROLLOUT_QUERIES, rolloutApi } from './upgrade-api.ts';
import { WORDS } from './upgrade-words.ts';

interface Start {
  version: string;
  soakHours: number;
  maxAtOnce: number;
  siteIds?: string[];
}

const SOAK_HOURS = 24;
const MAX_AT_ONCE = 20;

/** Starts a rollout after showing what it will do. */
export function StartDialog({
  packages,
  onStarted,
  onClose,
}: {
  packages: readonly EdgePackage[];
  onStarted: () => void;
  onClose: () => void;
}) {
  const toasts = useToasts();
  // The cloud does not upgrade a site with revoked access.
  const sites = useSites().filter(({ status }) => status === 'active');
  const versions = [...new Set(packages.map(({ version }) => version))];
  const [version, setVersion] = useState(versions[0] ?? '');
  const [soakHours, setSoakHours] = useState(SOAK_HOURS);
  const [maxAtOnce, setMaxAtOnce] = useState(MAX_AT_ONCE);
  const [which, setWhich] = useState<'all' | 'chosen'>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const upgraded = which === 'all' ? sites : sites.filter(({ id }) => chosen.has(id));
  const architectures = packages.filter((one) => one.version === version).map((one) => one.architecture);
  const start = useSubmit((json: Start, headers) => read(rolloutApi.rollouts.$post({ json }, { headers })), {
    invalidates: ROLLOUT_QUERIES,
    onDone: () => {
      toasts.done(WORDS.startDone({ version }));
      onClose();
      onStarted();
    },
  });
  const submit = () => {
    const siteIds = upgraded.map(({ id }) => id);
    start.mutate({ version, soakHours, maxAtOnce, ...(which === 'chosen' && { siteIds }) });
  };
  return (
    <FormDialog
      title={WORDS.start}
      submit={version === '' ? WORDS.startUnknown : WORDS.startVersion({ count: upgraded.length, version })}
      error={start.error}
      isBusy={start.isPending}
      isReady={upgraded.length > 0 && !Number.isNaN(soakHours) && !Number.isNaN(maxAtOnce)}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChoiceField
        label={WORDS.version}
        name="version"
        hint={WORDS.packagesFor({ architectures: architectures.join(', ') })}
        value={version}
        choices={versions.map((one) => [one, one] as const)}
        onChange={setVersion}
      />
      <div className="row">
        <NumberField
          label={WORDS.soakHours}
          name="soakHours"
          hint={WORDS.soakHint}
          value={soakHours}
          minValue={0}
          maxValue={720}
          isRequired
          onChange={setSoakHours}
        />
        <NumberField
          label={WORDS.maxAtOnce}
          name="maxAtOnce"
          value={maxAtOnce}
          minValue={1}
          maxValue={1000}
          isRequired
          onChange={setMaxAtOnce}
        />
      </div>
      <ChoiceField
        label={WORDS.which}
        value={which}
        choices={[
          ['all', WORDS.everySite],
          ['chosen', WORDS.chosenSites],
        ]}
        onChange={setWhich}
      />
      {which === 'chosen' && <ChosenSites sites={sites} chosen={chosen} onChange={setChosen} />}
      <Plan sites={upgraded} soakHours={soakHours} />
    </FormDialog>
  );
}

/** Boxes of the browser's own: hundreds of them are there at once. */
function ChosenSites({
  sites,
  chosen,
  onChange,
}: {
  sites: readonly Site[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const [typed, setTyped] = useState('');
  const found = sites.filter(({ name }) =>
    name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase()),
  );
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <fieldset className="form">
      <legend className="unseen">{WORDS.chosenSites}</legend>
      <TextField label={WORDS.find} type="search" value={typed} onChange={setTyped} />
      <ul className="chosen-sites">
        {found.map(({ id, name, upgradeRing }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.has(id)}
                onChange={({ target }) => choose(id, target.checked)}
              />
              <span>{name}</span>
              <span className="quiet-text">{WORDS.ring({ ring: upgradeRing })}</span>
            </label>
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {WORDS.chosen({ count: chosen.size, total: sites.length })}
      </p>
    </fieldset>
  );
}

/** The plan of the rollout, ring by ring. */
function Plan({ sites, soakHours }: { sites: readonly Site[]; soakHours: number }) {
  const titleId = useId();
  const numbers = [...new Set(sites.map(({ upgradeRing }) => upgradeRing))].sort((a, b) => a - b);
  const countOf = (ring: number) => sites.filter(({ upgradeRing }) => upgradeRing === ring).length;
  const [first, ...later] = numbers;
  return (
    <section className="notice plan" aria-labelledby={titleId}>
      <h3 id={titleId}>{WORDS.willHappen}</h3>
      {first === undefined ? (
        <p>{WORDS.noneChosen}</p>
      ) : (
        <p>
          {WORDS.firstRing({ ring: first, count: countOf(first) })}{' '}
          {later.length > 0 &&
            !Number.isNaN(soakHours) &&
            `${WORDS.laterRings({ hours: soakHours, rings: later.map((ring) => WORDS.laterRing({ ring, count: countOf(ring) })).join(', ') })} `}
          {WORDS.ifItFails}
        </p>
      )}
    </section>
  );
}
