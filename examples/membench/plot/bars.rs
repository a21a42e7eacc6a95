//! The mixes of sizes: speed relative to the reference, with intervals.

use super::{FONT, Pen, Picture, drawing, legend, machine, pens, titled};
use crate::cells::Group;
use crate::contender::{OURS, Role, Routine};
use crate::record::{CellRecord, Record};
use crate::statistics::Estimate;
use plotters::coord::Shift;
use plotters::prelude::*;

/// The picture of one routine.
pub(super) struct Mixes {
    title: String,
    machine: String,
    reference: String,
    labels: Vec<String>,
    /// For each contender, a bar in each mix.
    bars: Vec<(String, Pen, Vec<Option<Estimate>>)>,
}

impl Mixes {
    /// `None` where no mix was measured. Of the variants only ours-as-called is shown: the others are in
    /// the table.
    pub(super) fn of(record: &Record, routine: Routine) -> Option<Self> {
        let is_mix = |c: &&CellRecord| c.routine == routine && matches!(c.group, Group::Random | Group::Fleet);
        let cells: Vec<&CellRecord> = record.cells.iter().filter(is_mix).collect();
        let shown = pens(record).into_iter().filter(|(_, role, _)| matches!(role, Role::Ours | Role::Peer));
        let bars = shown
            .map(|(name, _, pen)| {
                let speeds = cells.iter().map(|c| c.of(&name).map(|f| f.speed)).collect();
                (name, pen, speeds)
            })
            .collect();
        Some(Self {
            title: format!("{routine}: sizes that are not predictable"),
            machine: machine(record),
            reference: cells.first()?.reference.clone(),
            labels: cells.iter().map(|c| c.label.clone()).collect(),
            bars,
        })
    }

    fn top(&self) -> f64 {
        let all = self.bars.iter().flat_map(|(_, _, speeds)| speeds.iter().flatten());
        all.map(|e| e.high).fold(1.2, f64::max) * 1.12
    }
}

impl Picture for Mixes {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let area = titled(area, &self.title, &self.machine)?;
        let groups = self.labels.len() as f64;
        let mut chart = ChartBuilder::on(&area)
            .x_label_area_size(48)
            .y_label_area_size(80)
            .build_cartesian_2d(0.0..groups, 0.0..self.top())
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(format!("speed relative to {} (higher is faster)", self.reference))
            .label_style((FONT, 18))
            .axis_desc_style((FONT, 20))
            .light_line_style(WHITE)
            .draw()
            .map_err(drawing)?;
        for i in 0..self.bars.len() {
            self.draw_bars(&mut chart, i)?;
        }
        chart.draw_series([PathElement::new([(0.0, 1.0), (groups, 1.0)], BLACK.mix(0.6))]).map_err(drawing)?;
        self.group_names(&chart, &area)?;
        legend(&mut chart, SeriesLabelPosition::UpperRight)
    }
}

type Linear = Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>;

impl Mixes {
    /// The bars of one contender, with their intervals; ours with its number.
    fn draw_bars<'a, B: DrawingBackend + 'a>(
        &self,
        chart: &mut ChartContext<'a, B, Linear>,
        i: usize,
    ) -> Result<(), String> {
        let (name, pen, speeds) = &self.bars[i];
        let width = 0.84 / self.bars.len() as f64;
        let colour = pen.colour;
        let known: Vec<(f64, Estimate)> = speeds
            .iter()
            .enumerate()
            .filter_map(|(group, speed)| Some((group as f64 + 0.08 + width * i as f64, (*speed)?)))
            .collect();
        let bar = |&(x, e): &(f64, Estimate)| Rectangle::new([(x, 0.0), (x + width * 0.9, e.value)], colour.filled());
        chart
            .draw_series(known.iter().map(bar))
            .map_err(drawing)?
            .label(name.clone())
            .legend(move |(x, y)| Rectangle::new([(x, y - 7), (x + 22, y + 7)], colour.filled()));
        let whisker = |&(x, e): &(f64, Estimate)| {
            ErrorBar::new_vertical(x + width * 0.45, e.low, e.value, e.high, BLACK.mix(0.7).filled(), 7)
        };
        chart.draw_series(known.iter().map(whisker)).map_err(drawing)?;
        if name == OURS {
            let style = (FONT, 17).into_font().color(&colour);
            let above = 0.05 * self.top();
            let number =
                |&(x, e): &(f64, Estimate)| Text::new(format!("{:.2}", e.value), (x, e.high + above), style.clone());
            chart.draw_series(known.iter().map(number)).map_err(drawing)?;
        }
        Ok(())
    }

    /// The name of each mix, centred below its bars.
    fn group_names<B: DrawingBackend>(
        &self,
        chart: &ChartContext<'_, B, Linear>,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), String> {
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let style = (FONT, 19).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top));
        let (dx, dy) = area.get_base_pixel();
        for (i, label) in self.labels.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(i as f64 + 0.5, 0.0));
            area.draw(&Text::new(label.clone(), (x - dx, y - dy + 12), style.clone())).map_err(drawing)?;
        }
        Ok(())
    }
}
