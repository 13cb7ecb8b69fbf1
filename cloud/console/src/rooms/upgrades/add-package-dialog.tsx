import { MAX_PACKAGE_BYTES } from '@hlid/protocol/site-link/edge-upgrade';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { stepUp } from '../../calls/api.ts';
import { sendForm } from '../../calls/upload.ts';
import { sessionQuery } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Mistakes } from '../../ui/mistakes.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { COMMON } from '../../words/common.ts';
import { sizeText } from './package-size.ts';
import { PACKAGE_QUERIES } from './upgrade-api.ts';
import { WORDS } from './upgrade-words.ts';

/** The pattern is the same as the cloud's. */
const FILE_NAME = /^hlid-edge_([0-9][0-9A-Za-z.+~-]{0,63})_(?:amd64|arm64)\.deb$/;
const MAX_SIGNATURE_BYTES = 8000;
const SIGNATURE_BEGINS = 'untrusted comment: ';

interface Files {
  file: File;
  signature: File;
}

/** A package and its signature. What is plainly the wrong file is not sent: that takes a while. */
export function AddPackageDialog({ onClose }: { onClose: () => void }) {
  const toasts = useToasts();
  const formId = useId();
  const [file, setFile] = useState<File | null>(null);
  const [signature, setSignature] = useState<File | null>(null);
  const [signatureMistake, setSignatureMistake] = useState<string>();
  const { send, sent, stop } = useSending((version) => {
    toasts.done(WORDS.added({ version }));
    onClose();
  });
  const isBusy = send.isPending;
  const version = FILE_NAME.exec(file?.name ?? '')?.[1] ?? '';
  const fileMistake = file === null ? undefined : mistakeOfPackage(file);
  const isReady = file !== null && signature !== null && !fileMistake && !signatureMistake;
  const choose = async (chosen: File | null) => {
    send.reset();
    setSignature(chosen);
    setSignatureMistake(
      chosen === null || (await isSignature(chosen))
        ? undefined
        : WORDS.wrongSignature({ name: chosen.name }),
    );
  };
  return (
    <Dialog title={WORDS.add} onClose={onClose} isBusy={isBusy}>
      <form
        id={formId}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && isReady) send.mutate({ file, signature });
        }}
      >
        <Mistakes error={send.error}>
          <p>{WORDS.addHint}</p>
          <FileField
            label={WORDS.packageFile}
            name="package"
            hint={WORDS.packageHint}
            mistake={fileMistake}
            accept=".deb"
            isDisabled={isBusy}
            onChange={(chosen) => {
              send.reset();
              setFile(chosen);
            }}
          />
          <FileField
            label={WORDS.signatureFile}
            name="signature"
            hint={WORDS.signatureHint}
            mistake={signatureMistake}
            accept=".minisig"
            isDisabled={isBusy}
            onChange={(chosen) => void choose(chosen)}
          />
        </Mistakes>
        {isBusy && sent !== null && (
          <div className="sending">
            <progress max={sent.total} value={sent.bytes} aria-label={WORDS.addNow({ version })} />
            <span>
              {sent.bytes < sent.total
                ? WORDS.sending({ sent: sizeText(sent.bytes), total: sizeText(sent.total) })
                : WORDS.storing}
            </span>
          </div>
        )}
        <RefusedNotice error={send.error} />
      </form>
      <footer>
        <Button onPress={isBusy ? stop : onClose}>{isBusy ? WORDS.stop : COMMON.cancel}</Button>
        <Button type="submit" form={formId} look="primary" isDisabled={!isReady} isPending={isBusy}>
          {WORDS.addNow({ version })}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Sends the files, and can be stopped. The proof comes first: what is sent without it would be sent twice. */
function useSending(onAdded: (version: string) => void) {
  const queries = useQueryClient();
  const [sent, setSent] = useState<{ bytes: number; total: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = useMutation({
    mutationFn: async ({ file, signature }: Files): Promise<boolean> => {
      const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      const isProven = Date.parse(session?.steppedUpUntil ?? '') > Date.now();
      if (!isProven && !(await stepUp())) return false;
      const ending = new AbortController();
      running.current = ending;
      const form = new FormData();
      form.append('package', file);
      form.append('signature', signature);
      const onSent = (bytes: number, total: number) => setSent({ bytes, total });
      try {
        await sendForm('/edge-packages', form, { signal: ending.signal, onSent });
        return true;
      } catch (error) {
        if (ending.signal.aborted) return false;
        throw error;
      } finally {
        running.current = null;
        setSent(null);
      }
    },
    onSuccess: (isAdded, { file }) => {
      if (!isAdded) return;
      for (const queryKey of PACKAGE_QUERIES) void queries.invalidateQueries({ queryKey });
      onAdded(FILE_NAME.exec(file.name)?.[1] ?? file.name);
    },
  });
  return { send, sent, stop: () => running.current?.abort() };
}

function mistakeOfPackage({ name, size }: File): string | undefined {
  if (!FILE_NAME.test(name)) return WORDS.wrongName({ name });
  return size > MAX_PACKAGE_BYTES ? WORDS.tooLarge({ megabytes: sizeText(MAX_PACKAGE_BYTES) }) : undefined;
}

async function isSignature(file: File): Promise<boolean> {
  return file.size <= MAX_SIGNATURE_BYTES && (await file.text()).startsWith(SIGNATURE_BEGINS);
}
