import { html, nothing, type TemplateResult } from "lit";
import type { Line } from "../../charts/lines.js";
import { parse } from "../../state/spec.js";
import { isFrame, writeLink } from "../../state/view.js";
import { short } from "../../text/strings.js";
import { cycle } from "../chapter/cycle.js";
import { middleHalf } from "../chapter/measure.js";
import { ends, layRuns, measures, value, type Laid, type Measure, type Place, type Setting } from "./lay.js";
import { SweptPanel, type Shown } from "./panel.js";
import { named, said, swept as strings } from "./strings.js";
import type { Run } from "./sweep.js";

/** The runs of a sweep. */
class Swept extends SweptPanel<Run, Measure> {
  protected readonly place = "swept";

  protected lay(): Laid<Run> {
    return layRuns(this.sweep);
  }

  /** Drawn truths can be found, tables have none. */
  protected get choices(): readonly Shown<Measure>[] {
    const { runs } = this.sweep;
    const has = { found: runs.some(({ m }) => Number.isFinite(m)), m: runs.some(({ m }) => Number.isFinite(m)), test: true, refused: runs.some(({ refused }) => refused !== "") };
    const diverged = runs.some((run) => run.refused === "" && !Number.isFinite(run.test));
    return measures.filter((key) => has[key]).map((key) => ({ key, name: strings.measures[key], caption: diverged && (key === "m" || key === "test") ? strings.diverged(strings.caption[key]) : strings.caption[key], share: key === "found" || key === "refused" }));
  }

  protected get from(): string {
    return strings.from(this.sweep.runs.length, this.sweep.version);
  }

  protected get elsewhere(): TemplateResult | typeof nothing {
    const { length } = this.sweep.absences;
    return length === 0 ? nothing : html`${strings.mixed(length)} <a href="#swept-sky">${strings.toSky}</a>`;
  }

  protected value(runs: readonly Run[], of: Measure): number {
    return value(runs, of);
  }

  protected spread(runs: readonly Run[], of: Measure): readonly [number, number] | null {
    if (of === "found" || of === "refused") return null;
    return middleHalf(ends(runs, of));
  }

  protected said(runs: readonly Run[], of: Measure): string {
    const v = value(runs, of);
    return of === "found" || of === "refused" ? strings.of(Math.round(v * runs.length), runs.length) : strings.value(v);
  }

  protected setting(setting: Setting): string {
    return said(setting);
  }

  protected axis(key: string): string {
    return named(key);
  }

  protected across(value: number): string {
    return strings.across(value);
  }

  protected look(row: readonly Setting[], i: number): Pick<Line, "colour" | "dash" | "symbol"> {
    const model = row.find(({ key }) => key === "model")?.value ?? this.sweep.runs[0]?.model ?? "ifm";
    return { colour: model in short ? model : "ifm", ...cycle(i) };
  }

  /** A link to a run here, but of a table, whose rows are not here. */
  protected inner({ query }: Place<Run>, named: string, said: string): TemplateResult | string {
    const wanted = parse(query).spec;
    if (wanted.source === "table") return said;
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || isFrame(this.view)) return;
      event.preventDefault();
      this.tell("ifm-open", wanted);
    };
    return html`<a href="${location.pathname}${writeLink(wanted, { ...this.view, sample: "none", chapter: "none", embed: "0" })}#figure" target=${isFrame(this.view) ? "_blank" : nothing} aria-label=${strings.open(named, said)} @click=${open}>${said}</a>`;
  }

  protected get told(): typeof nothing {
    return nothing;
  }

  protected get below(): typeof nothing {
    return nothing;
  }
}

customElements.define("ifm-swept", Swept);
