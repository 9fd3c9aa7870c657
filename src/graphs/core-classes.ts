import type { Graph } from '@darkroom/image-api';

/** Classes of nodes that ComfyUI brings with it. A newer ComfyUI has more: what is missing here is only not known. */
const CORE_CLASSES: ReadonlySet<string> = new Set(
  `
  CheckpointLoader CheckpointLoaderSimple unCLIPCheckpointLoader ImageOnlyCheckpointLoader DiffusersLoader UNETLoader
  CLIPLoader DualCLIPLoader TripleCLIPLoader QuadrupleCLIPLoader VAELoader LoraLoader LoraLoaderModelOnly
  ControlNetLoader DiffControlNetLoader CLIPVisionLoader StyleModelLoader GLIGENLoader HypernetworkLoader
  UpscaleModelLoader PhotoMakerLoader ModelPatchLoader AudioEncoderLoader

  CLIPTextEncode CLIPTextEncodeControlnet CLIPTextEncodeFlux CLIPTextEncodeHiDream CLIPTextEncodeHunyuanDiT
  CLIPTextEncodeLumina2 CLIPTextEncodePixArtAlpha CLIPTextEncodeSD3 CLIPTextEncodeSDXL CLIPTextEncodeSDXLRefiner
  CLIPSetLastLayer CLIPVisionEncode TextEncodeQwenImageEdit TextEncodeQwenImageEditPlus PhotoMakerEncode
  ConditioningAverage ConditioningCombine ConditioningConcat ConditioningSetArea ConditioningSetAreaPercentage
  ConditioningSetAreaStrength ConditioningSetMask ConditioningSetTimestepRange ConditioningZeroOut
  ControlNetApply ControlNetApplyAdvanced ControlNetApplySD3 ControlNetInpaintingAliMamaApply SetUnionControlNetType
  StyleModelApply unCLIPConditioning GLIGENTextBoxApply FluxGuidance FluxDisableGuidance FluxKontextImageScale
  FluxKontextMultiReferenceLatentMethod ReferenceLatent InpaintModelConditioning InstructPixToPixConditioning

  EmptyLatentImage EmptySD3LatentImage EmptyFlux2LatentImage EmptyHunyuanImageLatent EmptyChromaRadianceLatentImage
  EmptyLatentHunyuan3Dv2 EmptyHunyuanLatentVideo EmptyLTXVLatentVideo EmptyMochiLatentVideo
  LatentUpscale LatentUpscaleBy LatentFromBatch RepeatLatentBatch LatentBatch LatentBatchSeedBehavior LatentComposite
  LatentCompositeMasked LatentBlend LatentRotate LatentFlip LatentCrop LatentAdd LatentSubtract LatentMultiply
  LatentInterpolate LatentConcat LatentCut LoadLatent SaveLatent SetLatentNoiseMask RebatchLatents
  VAEDecode VAEDecodeTiled VAEEncode VAEEncodeTiled VAEEncodeForInpaint

  KSampler KSamplerAdvanced KSamplerSelect SamplerCustom SamplerCustomAdvanced SamplerDPMAdaptative SamplerDPMPP_2M_SDE
  SamplerDPMPP_2S_Ancestral SamplerDPMPP_3M_SDE SamplerDPMPP_SDE SamplerER_SDE SamplerEulerAncestral
  SamplerEulerAncestralCFGPP SamplerEulerCFGpp SamplerLCMUpscale SamplerLMS SamplerSASolver
  BasicGuider CFGGuider DualCFGGuider RandomNoise DisableNoise AddNoise
  BasicScheduler AlignYourStepsScheduler BetaSamplingScheduler ExponentialScheduler Flux2Scheduler GITSScheduler
  KarrasScheduler LaplaceScheduler LTXVScheduler OptimalStepsScheduler PolyexponentialScheduler SDTurboScheduler
  VPScheduler FlipSigmas SplitSigmas SplitSigmasDenoise SetFirstSigma ExtendIntermediateSigmas ManualSigmas

  ModelSamplingAuraFlow ModelSamplingContinuousEDM ModelSamplingContinuousV ModelSamplingDiscrete ModelSamplingFlux
  ModelSamplingLTXV ModelSamplingSD3 ModelSamplingStableCascade RescaleCFG CFGNorm CFGZeroStar RenormCFG
  FreeU FreeU_V2 HyperTile PatchModelAddDownscale PerpNeg PerpNegGuider PerturbedAttentionGuidance
  SelfAttentionGuidance SkipLayerGuidanceDiT SkipLayerGuidanceDiTSimple SkipLayerGuidanceSD3 TomePatchModel TorchCompileModel
  DifferentialDiffusion EasyCache LazyCache TCFG Mahiro APG EpsilonScaling
  ModelMergeAdd ModelMergeBlocks ModelMergeSimple ModelMergeSubtract ModelMergeFlux1 ModelMergeSD1 ModelMergeSDXL
  CLIPMergeAdd CLIPMergeSimple CLIPMergeSubtract CheckpointSave CLIPSave VAESave ModelSave LoraSave

  LoadImage LoadImageMask LoadImageOutput SaveImage PreviewImage SaveAnimatedPNG SaveAnimatedWEBP SaveImageWebsocket
  ImageScale ImageScaleBy ImageScaleToTotalPixels ImageScaleToMaxDimension ImageInvert ImageBatch ImageFromBatch
  ImagePadForOutpaint ImageCrop ImageFlip ImageRotate ImageBlend ImageBlur ImageQuantize ImageSharpen ImageAddNoise
  ImageCompositeMasked ImageColorToMask ImageToMask ImageStitch ImageUpscaleWithModel RebatchImages RepeatImageBatch
  EmptyImage GetImageSize ResizeAndPadImage Canny PorterDuffImageComposite SplitImageWithAlpha JoinImageWithAlpha Morphology
  SolidMask CropMask FeatherMask GrowMask InvertMask MaskComposite MaskPreview MaskToImage ThresholdMask

  PrimitiveBoolean PrimitiveFloat PrimitiveInt PrimitiveString PrimitiveStringMultiline
  StringConcatenate StringSubstring StringLength StringReplace StringTrim StringContains StringCompare CaseConverter
  RegexExtract RegexMatch RegexReplace PreviewAny Note MarkdownNote PrimitiveNode Reroute
  `
    .trim()
    .split(/\s+/),
);

/** Whether ComfyUI is known to bring this class with it. */
export const isCoreClass = (name: string): boolean => CORE_CLASSES.has(name.trim());

/** Classes of ComfyUI whose pictures leave the graph. */
const OUTPUT = /^(?:Save|Preview)/;

/** Whether a graph may show a picture: a class that is not known may be one that does. */
export const mayShowPicture = (nodes: Graph): boolean =>
  Object.values(nodes).some(({ class_type: name }) => OUTPUT.test(name.trim()) || !isCoreClass(name));
