import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { arrived } from '../calls/api.ts';
import { Refusal, refusalOf } from '../calls/refusal.ts';
import { LANGUAGE, wordsOf } from '../words/words.ts';
import { Button } from './button.tsx';
import { useToasts } from './toasts.tsx';

const WORDS = wordsOf('downloadButton');

/** A large file takes long; that nothing of it comes ends it. */
const MAX_SILENCE_MS = 2 * MINUTE_MS;

/** Fetches a file as it is asked for, shows how much of it has come, and saves it. Pressed meanwhile, it stops. */
export function DownloadButton({
  label,
  href,
  fileName,
}: {
  label: string;
  /** The path at this cloud, with its query; a function is called when the button is pressed. */
  href: string | (() => string);
  /** The file's name if the answer does not name it. */
  fileName: string;
}) {
  const toasts = useToasts();
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const download = async () => {
    const ending = new AbortController();
    running.current = ending;
    setBytes(0);
    try {
      const { blob, name } = await fetchFile(
        typeof href === 'string' ? href : href(),
        ending.signal,
        setBytes,
      );
      saveFile(blob, name ?? fileName);
    } catch (error) {
      if (!ending.signal.aborted) toasts.failed(error);
    } finally {
      running.current = null;
      setBytes(null);
    }
  };

  return (
    <Button onPress={() => (running.current ? running.current.abort() : void download())}>
      <Download size={14} aria-hidden="true" />
      {bytes === null ? label : WORDS.stop({ amount: sizeText(bytes) })}
    </Button>
  );
}

/** @throws Refusal where the cloud refuses; an error where the file breaks off, which the cloud does on a fault */
async function fetchFile(href: string, stopped: AbortSignal, onBytes: (bytes: number) => void) {
  const silent = new AbortController();
  const signal = AbortSignal.any([stopped, silent.signal]);
  const stop = () => silent.abort(Refusal.unanswered('timeout'));
  let silence = setTimeout(stop, MAX_SILENCE_MS);
  signal.addEventListener('abort', () => clearTimeout(silence), { once: true });
  const response = await arrived(fetch(href, { credentials: 'same-origin', signal }));
  if (!response.ok) throw await refusalOf(response);
  const pieces: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      clearTimeout(silence);
      silence = setTimeout(stop, MAX_SILENCE_MS);
      pieces.push(read.value);
      bytes += read.value.length;
      onBytes(bytes);
    }
  } catch {
    throw new Error(WORDS.brokenOff);
  } finally {
    clearTimeout(silence);
  }
  const type = response.headers.get('Content-Type') ?? 'application/octet-stream';
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  return { blob: new Blob(pieces, { type }), name };
}

/** Stores a file where the browser stores downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function sizeText(bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const format = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], { maximumFractionDigits: isLarge ? 1 : 0 });
  return `${format.format(bytes / (isLarge ? 1_000_000 : 1000))} ${isLarge ? 'MB' : 'kB'}`;
}
