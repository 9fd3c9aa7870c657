import fc from 'fast-check';

/** As much of a report as fits a screen; its seed and path stand at its beginning. */
const CHARACTERS = 4_000;

const shorten = (report: string): string =>
  report.length <= CHARACTERS
    ? report
    : `${report.slice(0, CHARACTERS)}\n… and ${report.length - CHARACTERS} more characters; its seed and path repeat it.`;

fc.configureGlobal({
  reporter(details) {
    const report = details.failed ? fc.defaultReportMessage(details) : undefined;
    if (report !== undefined) throw new Error(shorten(report), { cause: details.errorInstance });
  },
});
