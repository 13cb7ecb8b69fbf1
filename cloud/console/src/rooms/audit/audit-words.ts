import { roomWords } from '../../words/words.ts';

export const WORDS = roomWords('audit').audit;

const { subjects, actions, things } = WORDS;
const NAMES = new Map<string, string>([...Object.entries(subjects), ...Object.entries(things)]);
const ACTIONS = new Map<string, string>(Object.entries(actions));

export const SUBJECTS: readonly (readonly [subject: string, name: string])[] = Object.entries(subjects);

/** The text of an action, such as `Zone Cellar: changed`, or `Account Anna, password: changed`. */
export function actionText({
  subject,
  subjectName,
  action,
}: {
  subject: string;
  subjectName: string | null;
  action: string;
}): string {
  const [thing = '', ...verb] = action.split('.');
  const named = [nameOf(subject), ...(subjectName === null ? [] : [subjectName])].join(' ');
  const part = thing === subject || !NAMES.has(thing) ? '' : `, ${nameOf(thing)}`;
  const done = verb.join('.');
  return `${named}${part}: ${ACTIONS.get(done) ?? ACTIONS.get(thing) ?? WORDS.other}`;
}

function nameOf(thing: string): string {
  return NAMES.get(thing) ?? '';
}
