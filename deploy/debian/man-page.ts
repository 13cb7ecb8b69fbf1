import type { Product } from './products.ts';

/** The manual page of a command, in roff, made from the same declarations as its help. */
export function manPage({ command, name, summary, commands, configuration }: Product, date: string): string {
  const { software, title, environment } = commands;
  const named = commands.commands.filter((one) => one.name !== '');
  return `${[
    `.TH ${command.toUpperCase()} 1 "${date}" "${software}" "Parking"`,
    '.SH NAME',
    `${roff(command)} \\- ${roff(summary.replace(/^parking: /, ''))}`,
    '.SH SYNOPSIS',
    `.B ${roff(command)}\n.I COMMAND\n[\\fIOPTION\\fR ...]`,
    '.SH DESCRIPTION',
    `${roff(capital(title))}. The service runs it without a command: \\fBsystemctl start ${roff(name)}\\fR.`,
    `The commands run as the user \\fB${roff(name)}\\fR, who owns the data: call them as root or by \\fBsudo\\fR(8).`,
    '.PP',
    'A command prints text on a terminal and JSON in a pipe or a file; \\fB\\-\\-text\\fR and \\fB\\-\\-json\\fR choose.',
    '.SH COMMANDS',
    ...named.flatMap((one) => [
      `.SS ${roff(`${one.name} ${one.operandWord}`.trimEnd())}`,
      `${roff(one.summary)}.`,
      ...(one.about === '' ? [] : ['.PP', roff(one.about)]),
      ...Object.entries(one.options).flatMap(([key, { value, about }]) => [
        '.TP',
        `\\fB\\-\\-${roff(key)}\\fR${value === null ? '' : ` \\fI${roff(value)}\\fR`}`,
        roff(about),
      ]),
    ]),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([variable, about]) => ['.TP', `.B ${roff(variable)}`, roff(about)]),
    '.SH FILES',
    '.TP',
    `.I /etc/hlid/${configuration.file}`,
    `The configuration. \\fB${roff(command)} config check\\fR reports its mistakes.`,
    '.TP',
    `.I /etc/hlid/${configuration.file.replace('.yaml', '.env')}`,
    'Variables of the environment, one NAME=value a line; optional.',
    '.TP',
    `.I /var/lib/${name}`,
    'The data. Only the service reads it.',
    '.TP',
    `.I /usr/share/doc/${name}/examples`,
    'The configuration with every key.',
    '.SH EXIT STATUS',
    '0: done. 1: failed, or something needs attention. 2: wrong usage or configuration.',
  ].join('\n')}\n`;
}

function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', "'")
    .replace(/^([.'])/gm, '\\&$1');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
