import { type ChangeEvent, useState } from 'react';
import { read } from '../../calls/api.ts';
import { sentencesOf } from '../../calls/refusal-words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { PERMIT_QUERIES, transferApi } from './permit-api.ts';
import { PERMIT } from './permit-words.ts';

interface Import {
  csv: string;
  isDry: boolean;
}

/** Sends the file unchanged: the cloud reads it, and reports what is wrong with which line. */
function sendFile({ csv, isDry }: Import, headers: Record<string, string>) {
  const query = isDry ? { dryRun: 'true' as const } : {};
  const init = { body: csv, headers: { ...headers, 'Content-Type': 'text/csv' } };
  return read(transferApi.import.$post({ query }, { init }));
}
type Report = Awaited<ReturnType<typeof sendFile>>;

/** A list of permits from a file: first what would become of each line, then the import. */
export function ImportDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const toasts = useToasts();
  const [csv, setCsv] = useState<string | null>(null);
  const check = useSubmit(sendFile, { invalidates: [] });
  const run = useSubmit(sendFile, {
    invalidates: PERMIT_QUERIES,
    onDone: ({ added }) => {
      onAdded();
      onClose();
      toasts.done(PERMIT.imported({ count: added }));
    },
  });
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file can be chosen again once it is corrected.
    const text = await file?.text();
    if (text === undefined) return;
    setCsv(text);
    run.reset();
    check.mutate({ csv: text, isDry: true });
  };
  const report = check.data;
  return (
    <Dialog title={PERMIT.importTitle} onClose={onClose} isBusy={run.isPending} size="large">
      <p className="hint">{PERMIT.importHint}</p>
      <label className="field">
        <span className="label">{PERMIT.file}</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onClick={({ currentTarget }) => {
            currentTarget.value = '';
          }}
          onChange={(event) => void choose(event)}
        />
      </label>
      <div role="status">{check.isPending && <p>{PERMIT.checking}</p>}</div>
      <RefusedNotice error={check.error ?? run.error} />
      {report && csv !== null && <Checked report={report} csv={csv} />}
      <footer>
        <Button onPress={onClose} isDisabled={run.isPending}>
          {COMMON.cancel}
        </Button>
        {report && report.added > 0 && csv !== null && (
          <Button look="primary" isPending={run.isPending} onPress={() => run.mutate({ csv, isDry: false })}>
            {PERMIT.importSubmit({ count: report.added })}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

/** The effects of the import, and each line that it would not add, with its mistakes. */
function Checked({ report, csv }: { report: Report; csv: string }) {
  const { added, unchanged, refused, refusedMore } = report;
  const lines = csv.split(/\r\n|\r|\n/);
  const mistakes = refused.length + refusedMore;
  return (
    <section className="import-report" aria-live="polite">
      <p>
        {PERMIT.wouldAdd({ count: added })}
        {unchanged > 0 && `, ${PERMIT.unchanged({ count: unchanged })}`}.{' '}
        {mistakes === 0
          ? `${PERMIT.noMistakes}.`
          : `${PERMIT.refused({ count: mistakes })}. ${PERMIT.skipped}`}
      </p>
      {mistakes > 0 && (
        <div className="table-frame">
          <table className="table">
            <thead>
              <tr>
                <th className="number">{PERMIT.line}</th>
                <th>{PERMIT.content}</th>
                <th>{PERMIT.mistake}</th>
              </tr>
            </thead>
            <tbody>
              {refused.map(({ line, ...mistakes }) => (
                <tr key={line}>
                  <td className="number">{line}</td>
                  <td>
                    <code>{lines[line - 1]}</code>
                  </td>
                  <td className="mistake">{sentencesOf(mistakes).join(' ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {refusedMore > 0 && <p>{PERMIT.moreRefused({ count: refusedMore })}</p>}
    </section>
  );
}
