// The norms that rules with a ratio need of whole parameters, found just before their update.
#include "norm_parts.hpp"

namespace steepest {

// One of each wave's: made before the first write, so that nothing is allocated after it.
struct Plan::Measurement {
  NormParts parts;
  std::vector<std::size_t> items;     // those that are measured
  std::vector<double> totals, again;  // two numbers for each item of the plan
};

void Plan::prepare_measurements() {
  measurements_.clear();
  if (std::none_of(rules_.begin(), rules_.end(), [](const RuleInfo* rule) { return measures(*rule); })) return;
  for (const Wave& wave : waves_) {
    const std::vector<double> zeros(2 * items_.size());
    measurements_.push_back(std::make_shared<Measurement>(Measurement{NormParts(wave.elements, 2), {}, zeros, zeros}));
    Measurement& m = *measurements_.back();
    for (std::size_t position = wave.first_item; position < wave.last_item; ++position) {
      const std::size_t k = order_[position];
      if (!measures(rule_of(items_[k])) || items_[k].norms_known) continue;
      m.items.push_back(k);
      m.parts.add(k, items_[k].args, size_of(items_[k]));
    }
    m.parts.reserve();
  }
}

std::int64_t Plan::measure_part(const NormPart& part, double scale, double* sums) const {
  const Item& item = items_[part.item];
  const auto& kernel = rule_of(item).kernels[int(item.dtype)];
  const Steps& steps = steps_[static_cast<std::size_t>(item.job)];
  return kernel.measure(steps.of(item.dtype), item.args, scale, part.begin, part.end, sums);
}

// What is measured is the gradient after its ops, those whose factor is found late included.
void Plan::resolve_measured(const Measurement& m) {
  for (const std::size_t k : m.items)
    if (items_[k].norm_op >= 0) resolve_norm(items_[k]);
}

std::vector<std::vector<double>> Plan::chunk_sums(std::span<const double* const> values, double scale) {
  std::vector<std::vector<double>> sums(items_.size());
  begin(values);
  for (const std::shared_ptr<Measurement>& m : measurements_) {
    resolve_measured(*m);
    m->parts.each([&](const NormPart& part, double* to) { return measure_part(part, scale, to); },
                  [&](std::size_t item, std::size_t, double sum) { sums[item].push_back(sum); });
  }
  return sums;
}

void Plan::measure(std::size_t wave) {
  if (measurements_.empty() || measurements_[wave]->items.empty()) return;
  Measurement& m = *measurements_[wave];
  resolve_measured(m);
  const auto sum = [&](std::vector<double>& totals, double scale) {
    std::fill(totals.begin(), totals.end(), 0);
    m.parts.sum(totals, [&](const NormPart& part, double* sums) { return measure_part(part, scale, sums); });
  };
  sum(m.totals, 1);
  for (const std::size_t k : m.items) {
    const auto norm = [&](std::size_t number) {
      return safe_root(items_[k].dtype, m.totals[number], [&](double scale) {
        sum(m.again, scale);
        return m.again[number];
      });
    };
    items_[k].args.parameter_norm = norm(2 * k);
    items_[k].args.measured_norm = norm(2 * k + 1);
  }
}

}  // namespace steepest
