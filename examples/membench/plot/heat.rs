//! Relative offsets against lengths: how much slower than at the best offset of that length.

use super::{FONT, Picture, drawing, machine, titled};
use crate::cells::Group;
use crate::contender::{OURS, Routine};
use crate::record::{CellRecord, Record};
use crate::size::Bytes;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// One contender: for each length, the time at each offset over the best one.
struct Panel {
    name: String,
    rows: Vec<(String, Vec<Option<f64>>)>,
}

/// The picture of one routine.
pub(super) struct Offsets {
    title: String,
    machine: String,
    offsets: Vec<usize>,
    panels: Vec<Panel>,
}

impl Offsets {
    /// `None` with fewer than three offsets.
    pub(super) fn of(record: &Record, routine: Routine) -> Option<Self> {
        let cells: Vec<&CellRecord> =
            record.cells.iter().filter(|c| c.routine == routine && c.group == Group::Offset).collect();
        let mut lengths: Vec<f64> = cells.iter().map(|c| c.bytes).collect();
        lengths.sort_by(f64::total_cmp);
        lengths.dedup();
        let offset = |c: &CellRecord| c.label.rsplit('+').next().and_then(|d| d.parse::<usize>().ok());
        let of_length = |n: f64| cells.iter().copied().filter(move |c| c.bytes == n);
        let mut offsets: Vec<usize> = cells.iter().filter_map(|c| offset(c)).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let row = |name: &str, n: f64| {
            let time =
                |d: &usize| of_length(n).find(|c| offset(c) == Some(*d)).and_then(|c| Some(c.of(name)?.ns.value));
            let times: Vec<Option<f64>> = offsets.iter().map(time).collect();
            let best = times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            let label = Bytes(n as usize).to_string();
            (label, times.into_iter().map(|t| t.map(|t| t / best)).collect())
        };
        let panel = |name: &str| Panel { name: name.to_owned(), rows: lengths.iter().map(|&n| row(name, n)).collect() };
        let panels = vec![panel(OURS), panel(&cells.first()?.reference)];
        let title = format!("{routine}: time at each relative offset over the best one");
        (offsets.len() > 2).then(|| Self { title, machine: machine(record), offsets, panels })
    }
}

/// White at the best, through yellow and red, to black at three times as much.
fn colour(slower: f64) -> RGBColor {
    let stops = [
        (1.0, [255, 255, 250]),
        (1.2, [255, 226, 130]),
        (1.6, [240, 110, 40]),
        (2.2, [160, 10, 60]),
        (3.0, [30, 0, 40]),
    ];
    let upper = stops.iter().position(|s| s.0 >= slower).unwrap_or(stops.len() - 1).max(1);
    let ((a, from), (b, to)) = (stops[upper - 1], stops[upper]);
    let share = ((slower - a) / (b - a)).clamp(0.0, 1.0);
    let mix = |i: usize| (f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * share) as u8;
    RGBColor(mix(0), mix(1), mix(2))
}

impl Picture for Offsets {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let area = titled(area, &self.title, &self.machine)?;
        let (width, height) = area.dim_in_pixel();
        let below = i32::try_from(height).unwrap_or(i32::MAX) - 64;
        let (panels, legend) = area.split_vertically(below);
        for (panel, area) in self.panels.iter().zip(panels.split_evenly((self.panels.len(), 1))) {
            self.panel(panel, &area)?;
        }
        let text = |at: HPos| (FONT, 18).into_font().color(&BLACK).pos(Pos::new(at, VPos::Center));
        let steps = 200;
        let left = i32::try_from(width).unwrap_or(0) / 2 - steps;
        for i in 0..steps {
            let x = left + 2 * i;
            let style = colour(1.0 + f64::from(i) / f64::from(steps) * 2.0).filled();
            legend.draw(&Rectangle::new([(x, 24), (x + 2, 44)], style)).map_err(drawing)?;
        }
        let label =
            |what: &str, x: i32, at: HPos| legend.draw(&Text::new(what.to_owned(), (x, 34), text(at))).map_err(drawing);
        label("best", left - 10, HPos::Right)?;
        label("three times as long or more", left + 2 * steps + 10, HPos::Left)
    }
}

impl Offsets {
    fn panel<B: DrawingBackend>(&self, panel: &Panel, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let (columns, rows) = (self.offsets.len(), panel.rows.len());
        let mut chart = ChartBuilder::on(area)
            .caption(&panel.name, (FONT, 22))
            .x_label_area_size(50)
            .y_label_area_size(80)
            .build_cartesian_2d(0.0..columns as f64, 0.0..rows as f64)
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(0)
            .y_labels(0)
            .x_desc("(destination - source) modulo 4096")
            .axis_desc_style((FONT, 18))
            .draw()
            .map_err(drawing)?;
        let (dx, dy) = area.get_base_pixel();
        let centred = (FONT, 16).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top));
        for (x, offset) in self.offsets.iter().enumerate().step_by(columns.div_ceil(24)) {
            let (px, py) = chart.backend_coord(&(x as f64 + 0.5, 0.0));
            let label = Text::new(offset.to_string(), (px - dx, py - dy + 6), centred.clone());
            area.draw(&label).map_err(drawing)?;
        }
        for (y, (label, times)) in panel.rows.iter().enumerate() {
            let y = y as f64;
            // What was not measured is grey.
            let cell = |(x, slower): (usize, &Option<f64>)| {
                let colour = slower.map_or(RGBColor(225, 225, 225), colour);
                Rectangle::new([(x as f64, y + 0.04), (x as f64 + 1.0, y + 0.96)], colour.filled())
            };
            chart.draw_series(times.iter().enumerate().map(cell)).map_err(drawing)?;
            let style = (FONT, 18).into_font().color(&BLACK).pos(Pos::new(HPos::Right, VPos::Center));
            let (px, py) = chart.backend_coord(&(0.0, y + 0.5));
            area.draw(&Text::new(label.clone(), (px - dx - 10, py - dy), style)).map_err(drawing)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_white_to_black() {
        assert_eq!(colour(1.0), RGBColor(255, 255, 250));
        assert_eq!(colour(1.2), RGBColor(255, 226, 130));
        assert_eq!(colour(3.0), RGBColor(30, 0, 40));
        assert_eq!(colour(9.0), colour(3.0));
    }
}
