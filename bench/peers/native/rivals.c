/*
 * Times the C functions of TA-Lib and Tulip Indicators directly, without a binding.
 *
 *   rivals list                    one line per function: library, name, number of options
 *   rivals time CANDLES < calls    CANDLES: a file of count, then open, high, low, close, volume as f64 runs;
 *                                  calls: lines `library name option option …`; answers `library name ns-per-candle`
 *
 * A call is repeated in batches of about 3 ms, which mostly pass without another process getting its turn; the fastest
 * of twenty batches counts, as all that others do can only add to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "ta_libc.h"
#include "ta_abstract.h"
#include "indicators.h"

enum { MOST_OPTIONS = 16, MOST_OUTPUTS = 8, BATCHES = 20 };

static int count;
static double *candles[5]; /* open high low close volume */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

typedef struct {
  TA_ParamHolder *talib;
  const ti_indicator_info *tulip;
  const double *inputs[8];
  double *outputs[MOST_OUTPUTS];
  double options[MOST_OPTIONS];
} Call;

static int once(Call *call) {
  if (call->talib) {
    TA_Integer begin, length;
    return TA_CallFunc(call->talib, 0, count - 1, &begin, &length) == TA_SUCCESS;
  }
  return call->tulip->indicator(count, call->inputs, call->options, call->outputs) == TI_OKAY;
}

static double nanoseconds(Call *call) {
  int repetitions = 1;
  double best = 1e300;
  if (!once(call)) return -1;
  for (;;) {
    double begin = seconds();
    for (int i = 0; i < repetitions; i++) once(call);
    double elapsed = seconds() - begin;
    if (elapsed > 0.003) break;
    repetitions *= 2;
  }
  for (int batch = 0; batch < BATCHES; batch++) {
    double begin = seconds();
    for (int i = 0; i < repetitions; i++) once(call);
    double each = (seconds() - begin) / repetitions;
    if (each < best) best = each;
  }
  return best * 1e9 / count;
}

static double *column(void) { return calloc(count, sizeof(double)); }

static int prepare_talib(Call *call, const char *name, int given, const double *options) {
  const TA_FuncHandle *handle;
  const TA_FuncInfo *info;
  if (TA_GetFuncHandle(name, &handle) != TA_SUCCESS || TA_GetFuncInfo(handle, &info) != TA_SUCCESS) return 0;
  if (TA_ParamHolderAlloc(handle, &call->talib) != TA_SUCCESS) return 0;
  for (unsigned k = 0, reals = 0; k < info->nbInput; k++) {
    const TA_InputParameterInfo *input;
    TA_GetInputParameterInfo(handle, k, &input);
    if (input->type == TA_Input_Price)
      TA_SetInputParamPricePtr(call->talib, k, candles[0], candles[1], candles[2], candles[3], candles[4], candles[4]);
    else {
      /* One real input is the close; of two, the first is the high and the second the low. */
      const double *real = info->nbInput == 1 || strcmp(name, "OBV") == 0 ? candles[3] : candles[reals == 0 ? 1 : 2];
      TA_SetInputParamRealPtr(call->talib, k, real);
      reals++;
    }
  }
  for (unsigned k = 0; k < info->nbOptInput && (int)k < given; k++) {
    const TA_OptInputParameterInfo *option;
    TA_GetOptInputParameterInfo(handle, k, &option);
    if (option->type == TA_OptInput_RealRange || option->type == TA_OptInput_RealList)
      TA_SetOptInputParamReal(call->talib, k, options[k]);
    else
      TA_SetOptInputParamInteger(call->talib, k, (int)options[k]);
  }
  for (unsigned k = 0; k < info->nbOutput; k++) {
    const TA_OutputParameterInfo *output;
    TA_GetOutputParameterInfo(handle, k, &output);
    if (output->type == TA_Output_Real)
      TA_SetOutputParamRealPtr(call->talib, k, column());
    else
      TA_SetOutputParamIntegerPtr(call->talib, k, (int *)column());
  }
  return 1;
}

static int prepare_tulip(Call *call, const char *name, int given, const double *options) {
  static const char *names[5] = { "open", "high", "low", "close", "volume" };
  const ti_indicator_info *info = ti_find_indicator(name);
  if (!info || given < info->options) return 0;
  call->tulip = info;
  for (int k = 0; k < info->inputs; k++) {
    call->inputs[k] = info->inputs == 1 ? candles[3] : candles[k == 0 ? 1 : 2];
    for (int c = 0; c < 5; c++)
      if (strcmp(info->input_names[k], names[c]) == 0) call->inputs[k] = candles[c];
  }
  for (int k = 0; k < info->outputs; k++) call->outputs[k] = column();
  memcpy(call->options, options, sizeof(double) * MOST_OPTIONS);
  return 1;
}

static void list_talib(const TA_FuncInfo *info, void *unused) {
  (void)unused;
  printf("talib %s %u\n", info->name, info->nbOptInput);
}

int main(int argc, char **argv) {
  TA_Initialize();
  if (argc == 2 && strcmp(argv[1], "list") == 0) {
    TA_ForEachFunc(list_talib, NULL);
    for (const ti_indicator_info *info = ti_indicators; info->name; info++) printf("tulip %s %d\n", info->name, info->options);
    return 0;
  }
  if (argc != 3 || strcmp(argv[1], "time") != 0) {
    fprintf(stderr, "usage: rivals list | rivals time CANDLES < calls\n");
    return 2;
  }
  FILE *file = fopen(argv[2], "rb");
  double length;
  if (!file || fread(&length, sizeof length, 1, file) != 1) return 1;
  count = (int)length;
  for (int c = 0; c < 5; c++) {
    candles[c] = column();
    if (fread(candles[c], sizeof(double), count, file) != (size_t)count) return 1;
  }
  fclose(file);
  char line[512];
  while (fgets(line, sizeof line, stdin)) {
    double options[MOST_OPTIONS] = { 0 };
    int given = 0;
    char *library = strtok(line, " \n"), *name = strtok(NULL, " \n");
    for (char *text; (text = strtok(NULL, " \n")) && given < MOST_OPTIONS;) options[given++] = atof(text);
    Call call = { 0 };
    int ready = strcmp(library, "talib") == 0 ? prepare_talib(&call, name, given, options) : prepare_tulip(&call, name, given, options);
    printf("%s %s %.4f\n", library, name, ready ? nanoseconds(&call) : -1.0);
    fflush(stdout);
  }
  return 0;
}
