import type { privacyRoutes } from '@hlid/cloud/privacy/privacy/privacy-routes';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../calls/api.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { saveFile } from '../../ui/download-button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { WORDS } from './privacy-words.ts';

const api = apiOf<typeof privacyRoutes>(LONG_TIMEOUT_MS);
type PlateExport = Awaited<ReturnType<typeof exportPlate>>;
const PARTS = Object.entries(WORDS.parts).map(([part, name]) => ({ part, name }));

function exportPlate(plate: string) {
  return read(api.privacy.plates[':plate'].$get({ param: { plate } }));
}

/** Everything about one plate, as a file for its owner, and its end. */
export function PlateData() {
  const toasts = useToasts();
  const [plate, setPlate] = useState('');
  const [isErasing, setErasing] = useState(false);
  // A change, not a query: each look is written down, so none may happen by itself.
  const look = useSubmit((wanted: string) => exportPlate(wanted), { invalidates: [['audit']] });
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (plate.trim() !== '' && !look.isPending) look.mutate(plate.trim());
        }}
      >
        <TextField
          label={WORDS.plate}
          hint={WORDS.showHint}
          value={plate}
          onChange={setPlate}
          isRequired
          autoComplete="off"
        />
        <RefusedNotice error={look.error} />
        <span className="row-acts">
          <Button type="submit" look="primary" isPending={look.isPending}>
            {WORDS.show}
          </Button>
        </span>
      </form>
      {look.data && <Found data={look.data} onErase={() => setErasing(true)} />}
      {look.data && isErasing && (
        <EraseDialog
          plate={look.data.plate}
          onErased={(kept) => {
            look.reset();
            setPlate('');
            toasts.done(
              [WORDS.erased({ plate }), ...(kept > 0 ? [`${WORDS.keptInvoices}: ${kept}`] : [])].join('. '),
            );
          }}
          onClose={() => setErasing(false)}
        />
      )}
    </>
  );
}

function Found({ data, onErase }: { data: PlateExport; onErase: () => void }) {
  const { plate } = data;
  const counts = new Map(Object.entries(data).map(([part, rows]) => [part, rows.length]));
  const rows = PARTS.map(({ part, name }) => ({ part, name, count: counts.get(part) ?? 0 })).filter(
    ({ count }) => count > 0,
  );
  const save = () => {
    const text = JSON.stringify(data, null, 2);
    saveFile(new Blob([text], { type: 'application/json' }), `${plate}.json`);
  };
  return (
    <section className="card form">
      <h2>{WORDS.of({ plate })}</h2>
      {rows.length === 0 ? (
        <p>{WORDS.nothing}</p>
      ) : (
        <>
          <DataTable
            label={WORDS.of({ plate })}
            rows={rows}
            idOf={({ part }) => part}
            columns={[
              { id: 'part', title: WORDS.part, isWide: true, cell: ({ name }) => name },
              { id: 'rows', title: WORDS.rows, isNumber: true, cell: ({ count }) => count },
            ]}
          />
          <span className="row-acts">
            <Button onPress={save}>
              <Download size={14} aria-hidden="true" /> {WORDS.save}
            </Button>
            <Button look="negative" onPress={onErase}>
              {WORDS.erase}
            </Button>
          </span>
        </>
      )}
    </section>
  );
}

function EraseDialog({
  plate,
  onErased,
  onClose,
}: {
  plate: string;
  onErased: (keptInvoices: number) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const erase = useSubmit((_: null) => read(api.privacy.plates[':plate'].$delete({ param: { plate } })), {
    invalidates: [[]],
    onDone: ({ keptInvoices }) => {
      onErased(keptInvoices);
      onClose();
    },
  });
  return (
    <FormDialog
      title={WORDS.erase}
      submit={WORDS.eraseOf({ plate })}
      isFinal
      error={erase.error}
      isBusy={erase.isPending}
      isReady={typed.replaceAll(' ', '').toUpperCase() === plate}
      onSubmit={() => erase.mutate(null)}
      onClose={onClose}
    >
      <p>{WORDS.eraseHint}</p>
      <TextField
        label={WORDS.typeIt({ plate })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}
